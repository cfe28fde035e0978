import { expect, test } from '@jest/globals';
import { daysFault } from './days-fault.js';

// An empty field is accepted here, because another check decides whether a value is required.
test.each(['', '1', '90', ' 7 '])('%j is accepted', (typed) => {
  expect(daysFault(typed, 90)).toBeUndefined();
});

test.each([' ', '0', '91', '-1', '1.5', 'three'])(
  '%j is refused, because it is not a whole number from 1 to 90',
  (typed) => {
    expect(daysFault(typed, 90)).toBe('Enter a number of days from 1 to 90');
  },
);
