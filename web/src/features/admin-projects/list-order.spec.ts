import { expect, test } from '@jest/globals';
import { moved } from './list-order.js';

test.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
  [0, -1, 'abc'],
  [2, 3, 'abc'],
])('moving item %i of abc to place %i gives %s', (from, to, expected) => {
  expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(expected);
});
