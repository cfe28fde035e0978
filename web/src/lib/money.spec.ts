import { expect, test } from '@jest/globals';
import { money } from './money.js';

test.each([
  ['0', '$0.00'],
  ['290', '$290.00'],
  ['007.50', '$7.50'],
  ['100000', '$100,000.00'],
  ['1290.5', '$1,290.50'],
  ['9007199254740993.01', '$9,007,199,254,740,993.01'],
  ['-20.00', '-$20.00'],
  ['on request', 'on request'],
  [undefined, ''],
])('the amount %s is shown as %s', (amount, shown) => {
  expect(money(amount)).toBe(shown);
});
