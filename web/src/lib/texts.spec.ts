import { describe, expect, test } from '@jest/globals';
import { addressKind } from './address.js';
import { dollars } from './money.js';
import { paragraphs } from './paragraphs.js';
import { isRecordId } from './record-id.js';

test.each([
  ['290.00', '$290'],
  ['290', '$290'],
  ['290.5', '$290.50'],
  ['1290.05', '$1,290.05'],
  ['1234567', '$1,234,567'],
  ['on request', 'on request'],
  [undefined, ''],
])('%s is shown as %s', (amount, shown) => {
  expect(dollars(amount)).toBe(shown);
});

test('an empty line starts a paragraph, with any kind of line end', () => {
  expect(paragraphs('One\nstill one.\r\n \r\nTwo.\n\n\n\nThree.')).toEqual([
    'One\nstill one.',
    'Two.',
    'Three.',
  ]);
  expect(paragraphs(undefined)).toEqual([]);
});

describe('the kind of an address', () => {
  test.each([
    ['/pricing/', 'page'],
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
