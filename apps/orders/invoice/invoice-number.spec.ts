import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayBefore, dayIn, type InvoiceSeries, numberOf, seriesOf } from './invoice-number.js';

const prefixes = { invoicePrefix: 'INV-', creditNotePrefix: 'CN-' };

test.each<[InvoiceSeries, number, string]>([
  ['invoice', 42, 'INV-2026-00042'],
  ['credit_note', 7, 'CN-2026-00007'],
  ['invoice', 123_456, 'INV-2026-123456'],
  ['demo_invoice', 1, 'DEMO-INV-2026-00001'],
  ['demo_credit_note', 1, 'DEMO-CN-2026-00001'],
])('in the series %s, the sequence number %i gives %s', (series, sequence, number) => {
  expect(numberOf(series, prefixes, { year: 2026, sequence })).toBe(number);
});

test('the series depends on the kind of document and on whether the customer is a demo customer', () => {
  const email = 'Ada@DEMO.example';
  expect([seriesOf('invoice', { email }), seriesOf('credit_note', { email: 'ada@example.com' })]).toEqual([
    'demo_invoice',
    'credit_note',
  ]);
});

test('documents have different numbers if they differ in prefix, year or sequence, or if only one of them is a demo document', () => {
  // No `d` at the start, so that no prefix begins like the numbers of demo documents.
  const prefix = fc.stringMatching(/^[a-ce-z][a-z./-]{0,9}$/);
  const numberParts = fc.record({
    prefix,
    year: fc.integer({ min: 2000, max: 99_999 }),
    sequence: fc.integer({ min: 1, max: 9_999_999 }),
    demo: fc.boolean(),
  });
  const fields = ['prefix', 'year', 'sequence', 'demo'] as const;
  // Lower case, because the database refuses two numbers that differ only in case.
  const lowerCaseNumber = ({
    prefix: invoicePrefix,
    demo,
    ...at
  }: {
    prefix: string;
    demo: boolean;
    year: number;
    sequence: number;
  }) => numberOf(demo ? 'demo_invoice' : 'invoice', { ...prefixes, invoicePrefix }, at).toLowerCase();
  fc.assert(
    fc.property(numberParts, numberParts, fc.constantFrom(...fields), (document, other, field) => {
      const changed = { ...document, [field]: other[field] };
      expect(lowerCaseNumber(document) === lowerCaseNumber(changed)).toBe(document[field] === changed[field]);
    }),
  );
});

test.each([
  ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ['Europe/Berlin', '2026-12-31T23:00:00Z', '2027-01-01'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ['Pacific/Pago_Pago', '2027-01-01T10:59:59Z', '2026-12-31'],
  ['Asia/Kathmandu', '2026-03-31T18:15:00Z', '2026-04-01'],
])('the day in %s at %s is %s', (timeZone, moment, day) => {
  expect(dayIn(timeZone, new Date(moment))).toBe(day);
});

test.each([
  ['2027-01-01', '2026-12-31'],
  ['2028-03-01', '2028-02-29'],
])('the day before %s is %s', (day, before) => {
  expect(dayBefore(day)).toBe(before);
});
