import { expect, test } from '@jest/globals';
import { feeOf, formatAmount, parseAmount } from './money.js';

test.each([
  ['49', 'USD', 4900],
  ['49.9', 'USD', 4990],
  ['1,049.00', 'USD', 104_900],
  ['9999999.99', 'USD', 999_999_999],
  ['9,999,999.99', 'USD', 999_999_999],
  ['10000000', 'USD', undefined],
  ['10,000,000', 'USD', undefined],
  ['999,999', 'USD', 99_999_900],
  ['1,2,345', 'USD', undefined],
  ['1200', 'JPY', 1200],
  ['1200.00', 'JPY', 1200],
  ['1200.50', 'JPY', undefined],
  ['-1.00', 'USD', undefined],
  ['1e3', 'USD', undefined],
  ['1.005', 'USD', undefined],
  ['49,00', 'USD', undefined],
  ['', 'USD', undefined],
])('the minor units of %j in %s are %p', (text, currency, minor) => {
  expect(parseAmount(text, currency)).toBe(minor);
});

test('amounts are written with the decimals of their currency', () => {
  expect([formatAmount(4900, 'USD'), formatAmount(-88, 'USD'), formatAmount(1200, 'JPY')]).toEqual([
    '49.00',
    '-0.88',
    '1200',
  ]);
});

test('the fee is 2.9 % and 30 cents, and never more than the amount', () => {
  expect([feeOf(1995), feeOf(20)]).toEqual([88, 20]);
});
