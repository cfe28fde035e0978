import { expect, test } from '@jest/globals';
import { billingFrom, billingText, isAnyFieldFilled } from './billing.js';

const none = billingFrom(() => '');

test('typed values are trimmed, and VAT IDs become upper case without spaces, dots and hyphens', () => {
  const typed: Record<string, string> = { company: ' Analytical Engines ', vatId: ' de 136.695-976 ' };
  expect(billingFrom((field) => typed[field] ?? '')).toEqual({
    ...none,
    ...{ company: 'Analytical Engines', vatId: 'DE136695976' },
  });
});

test('billing details count as given if at least one field is filled in', () => {
  expect(isAnyFieldFilled(none)).toBe(false);
  expect(isAnyFieldFilled({ ...none, city: 'Berlin' })).toBe(true);
});

test('billing details are written on one line', () => {
  const details = {
    company: 'Engines',
    postalCode: '10115',
    city: 'Berlin',
    countryCode: 'DE',
    vatId: 'DE1',
  };
  expect(billingText({ ...none, ...details })).toBe('Engines, 10115 Berlin, DE, VAT ID DE1');
});
