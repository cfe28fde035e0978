import { expect, test } from '@jest/globals';
import type { Invoice } from '#libs/contracts';
import { noteOf, signedAmount, taxText } from './words.js';

const invoice = { kind: 'invoice', gross: '345.10', open: '345.10', cites: null } as Invoice;
const cites = { _id: '1', number: 'INV-2026-00001' };

test.each<[string | undefined, Partial<Invoice>]>([
  [undefined, {}],
  ['Replaces INV-2026-00001', { cites }],
  ['$49.00 credited', { open: '296.10' }],
  ['$0.10 credited', { open: '345.00' }],
  ['Credited in full', { open: '0.00' }],
  ['Replaces INV-2026-00001. Credited in full', { cites, open: '0.00' }],
  ['For INV-2026-00001', { kind: 'credit_note', cites, open: '0.00' }],
])('the note is ‘%s’ for %j', (note, overrides) => {
  expect(noteOf({ ...invoice, ...overrides })).toBe(note);
});

test('the amounts of credit notes are negative', () => {
  expect(signedAmount('345.10', invoice)).toBe('$345.10');
  expect(signedAmount('345.10', { kind: 'credit_note' })).toBe('-$345.10');
  expect(signedAmount('0.00', { kind: 'credit_note' })).toBe('$0.00');
});

test.each<[string, Invoice['taxCategory'], string]>([
  ['25.5%', 'S', '25.5'],
  ['0%', 'Z', '0'],
  ['Exempt', 'E', '0'],
  ['Reverse charge', 'AE', '0'],
  ['Not taxable here', 'O', '0'],
])('the tax is shown as ‘%s’ for category %s and rate %s', (text, taxCategory, taxRate) => {
  expect(taxText({ taxCategory, taxRate })).toBe(text);
});
