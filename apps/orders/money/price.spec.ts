import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { centsOf, dollarsOf } from './price.js';

test.each([
  ['290', 29_000],
  ['290.5', 29_050],
  ['290.05', 29_005],
  ['0.01', 1],
  ['1.15', 115],
  ['8.2', 820],
  ['999999999.99', 99_999_999_999],
])('%s dollars are %i cents', (dollars, cents) => {
  expect(centsOf(dollars)).toBe(cents);
});

test('cents survive a round trip through dollars', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999_999), (cents) => {
      const dollars = dollarsOf(cents);
      expect(dollars).toMatch(/^\d+\.\d\d$/);
      expect(centsOf(dollars)).toBe(cents);
    }),
  );
});
