import { expect, test } from '@jest/globals';
import { apiAmount, refundFault } from './refund-amount.js';

test.each([
  ['290.00', '290.00'],
  ['290', '290.00'],
  ['12.5', '12.50'],
  ['12.', '12.00'],
  [' $1,290.05 ', '1290.05'],
  ['007', '7.00'],
  ['', undefined],
  ['-5', undefined],
  ['1.234', undefined],
  ['12,50', undefined],
  ['1e2', undefined],
])('the amount ‘%s’ becomes %s for the API', (typed, amount) => {
  expect(apiAmount(typed)).toBe(amount);
});

test.each([
  ['290', undefined],
  ['0.01', undefined],
  ['290.01', 'Enter at most $290.00'],
  ['0', 'Enter more than $0.00'],
  ['  ', 'Enter an amount'],
  ['all', 'Enter an amount like 10.00'],
])('for a refund of at most $290.00, the error for ‘%s’ is: %s', (typed, fault) => {
  expect(refundFault(typed, '290.00')).toBe(fault);
});
