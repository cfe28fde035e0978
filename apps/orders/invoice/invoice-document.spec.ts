import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { InvoiceDocument, InvoiceSettings } from '#libs/contracts';
import { buyerOf, creditNoteDraft, invoiceDraft } from './invoice-document.js';

const settings: InvoiceSettings = {
  ...{
    name: 'Rank & Rise GmbH',
    addressLine1: 'Torstraße 1',
    addressLine2: '',
    postalCode: '',
    city: 'Berlin',
  },
  ...{ countryCode: 'DE', email: '', taxNumber: '', vatId: 'DE123456789', register: '', bankAccount: '' },
  ...{ timeZone: 'Europe/Berlin', paper: 'A4', invoicePrefix: 'INV-', creditNotePrefix: 'CN-' },
  ...{ taxMode: 'inclusive', exemptionReason: '', domesticRate: '', aboveThreshold: true },
  ...{ accountingCurrency: 'EUR', exchangeRate: '0.9215', attachToMail: false },
};
const issuer = { settings, site: 'Northrank', logo: null };
const buyer = buyerOf({ name: 'Ada', email: '', address: '', country: '', billing: null }, settings);

/** For a sale to a consumer in this country. */
function invoice(grossCents: number, countryCode = 'DE'): InvoiceDocument {
  const draft = invoiceDraft(
    issuer,
    {
      ...{ buyer: { ...buyer, countryCode }, vatIdState: null, grossCents, day: '2026-11-22' },
      ...{ order: { number: 1042, placedOn: '2026-11-22' }, item: { name: 'Basic', period: null } },
    },
    { cause: 'payment', payment: null, cites: null },
  );
  return { ...draft, number: 'INV-2026-00001', issuedOn: '2026-11-22' };
}

/** Credits the parts one after the other. */
function credits(cited: InvoiceDocument, parts: number[]) {
  let creditedCents = 0;
  return parts.map((cents) => {
    const draft = creditNoteDraft(
      issuer,
      cited,
      { creditedCents, cents },
      { cause: 'refund', payment: null },
    );
    creditedCents += cents;
    return draft;
  });
}

describe('the tax of credit notes', () => {
  test.each([
    // gross, parts, tax of each credit note; computed by hand
    [29_000, [29_000], [4_630]],
    [29_000, [9_000, 20_000], [1_437, 3_193]],
    [29_000, [9_000, 1, 19_999], [1_437, 0, 3_193]],
    // The tax of a single cent rounds to 0.
    [7, [1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 0, 0, 0]],
  ])(
    'of an invoice for %i cents with a tax of 19%, credited in the parts %j, is %j',
    (gross, parts, taxes) => {
      expect(credits(invoice(gross), parts).map(({ taxCents }) => taxCents)).toEqual(taxes);
    },
  );
});

test('the credit notes of a fully credited invoice add up to its amounts, and none of them is negative', () => {
  const countries = fc.constantFrom('DE', 'FI', 'HU', 'FR', 'US');
  const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(countries, amounts, (country, parts) => {
      const cited = invoice(
        parts.reduce((sum, cents) => sum + cents, 0),
        country,
      );
      const notes = credits(cited, parts);
      const sum = (field: 'netCents' | 'taxCents' | 'grossCents') =>
        notes.reduce((all, note) => all + note[field], 0);
      expect([sum('netCents'), sum('taxCents'), sum('grossCents')]).toEqual([
        ...[cited.netCents, cited.taxCents, cited.grossCents],
      ]);
      const accountingTax = notes.reduce((all, { accounting }) => all + (accounting?.taxCents ?? 0), 0);
      expect(accountingTax).toBe(cited.accounting?.taxCents ?? 0);
      for (const { netCents, taxCents, grossCents } of notes) {
        expect(Math.min(netCents, taxCents)).toBeGreaterThanOrEqual(0);
        expect(netCents + taxCents).toBe(grossCents);
      }
    }),
  );
});

describe('the buyer', () => {
  const order = { name: 'Ada', email: 'ada@example.com', address: '12 St James’s Square', country: 'UK' };
  const nothing = {
    company: '',
    addressLine1: '',
    addressLine2: '',
    postalCode: '',
    city: '',
    countryCode: '',
    vatId: '',
  };

  test.each([
    [
      'has the code of the country that the order names',
      order,
      { countryCode: 'GB', addressLine1: '12 St James’s Square' },
    ],
    [
      'has the seller’s country if the order’s is unknown',
      { ...order, country: 'Atlantis' },
      { countryCode: 'DE' },
    ],
    [
      'is called “Deleted account” if the order has no name',
      { ...order, name: '' },
      { name: 'Deleted account' },
    ],
    [
      'has the order’s address and country if the billing details have none',
      { ...order, billing: { ...nothing, company: 'Engines' } },
      { company: 'Engines', addressLine1: '12 St James’s Square', countryCode: 'GB' },
    ],
    [
      'has the address, country and VAT ID of the billing details',
      { ...order, billing: { ...nothing, addressLine1: 'Rue 1', countryCode: 'FR', vatId: 'FR40303265045' } },
      { addressLine1: 'Rue 1', countryCode: 'FR', vatId: 'FR40303265045' },
    ],
  ])('%s', (_name, given, expected) => {
    expect(buyerOf({ billing: null, ...given }, settings)).toMatchObject(expected);
  });
});
