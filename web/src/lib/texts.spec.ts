import { describe, expect, test } from '@jest/globals';
import { addressKind } from './address.js';
import { money } from './money.js';
import { isRecordId } from './record-id.js';

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

describe('the kind of an address', () => {
  test.each([
    ['/pricing/', 'path'],
    ['#faq', 'fragment'],
    ['https://example.com/', 'elsewhere'],
    ['mailto:a@example.com', 'elsewhere'],
    ['//example.com', undefined],
    ['/\\example.com', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['', undefined],
  ])('%s: %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

test('a record id is a UUID and nothing else', () => {
  expect(isRecordId('0190a5f4-5c1e-7000-8000-000000000001')).toBe(true);
  for (const other of ['about', '0190a5f4', '', undefined]) expect(isRecordId(other)).toBe(false);
});
