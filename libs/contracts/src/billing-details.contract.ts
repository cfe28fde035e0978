import { z } from 'zod';
import { countryCodes } from './countries.js';
import { shownPrice } from './inputs.js';
import { grouped, relay, relayedIn } from './operation.js';
import { signedInOnly } from './policy.js';
import { optionalLine, requiredLine } from './text.js';

/** With two decimals, e.g. `"290.00"`. */
const amount = z.string();

/** ISO 3166-1 alpha-2; empty if not given. */
export const countryCode = z
  .string()
  .refine((code) => code === '' || countryCodes.includes(code), 'must be the code of a country, like DE')
  .default('');

/** Every field is optional. Stored for the account, and separately for each of its orders. */
export const billingDetails = z.strictObject({
  company: optionalLine(200),
  addressLine1: optionalLine(200),
  addressLine2: optionalLine(200),
  postalCode: optionalLine(20),
  city: optionalLine(100),
  countryCode,
  /** With its country prefix. Stored in capital letters, without blanks, dots and hyphens. */
  vatId: optionalLine(20),
});
export type BillingDetails = z.output<typeof billingDetails>;

/** `unknown`: the register of the European Commission has not answered yet. `malformed`: not the form of any EU country's VAT ID. */
export const vatIdState = z.enum(['valid', 'invalid', 'unknown', 'malformed']);
export type VatIdState = z.infer<typeof vatIdState>;

/** `inclusive`: prices contain the tax. `exclusive`: the tax is added to prices when an order is placed. */
export const taxMode = z.enum(['none', 'inclusive', 'exclusive']);
export type TaxMode = z.infer<typeof taxMode>;

const { shape } = billingDetails;
/**
 * Like `billingDetails`, but each field is required and has no default. `correctInvoice` makes the fields optional; one that is left out there must
 * stay undefined.
 */
export const allBillingDetails = z.strictObject({
  company: shape.company.unwrap(),
  addressLine1: shape.addressLine1.unwrap(),
  addressLine2: shape.addressLine2.unwrap(),
  postalCode: shape.postalCode.unwrap(),
  city: shape.city.unwrap(),
  countryCode: shape.countryCode.unwrap(),
  vatId: shape.vatId.unwrap(),
});

const storedDetails = z.object({
  ...billingDetails.shape,
  /** Null without a VAT ID. */
  vatIdState: vatIdState.nullable(),
  /** Whether the seller issues invoices; otherwise the details are unused. */
  offered: z.boolean(),
});

const taxQuote = z.object({
  mode: taxMode,
  net: amount,
  tax: amount,
  /** What the order would cost. */
  total: amount,
  /** In percent. */
  rate: z.string(),
  /** Why there is no tax; null if a rate applies, even zero, or if the seller charges no tax at all. */
  reason: z.string().nullable(),
});
export type TaxQuote = z.infer<typeof taxQuote>;

export const billingDetailsOperations = grouped('Billing details', {
  getBillingDetails: relay({
    at: 'GET /billing-details',
    pattern: 'orders.billingDetails',
    summary: 'What you want to have on your invoices, and whether your VAT ID is valid',
    policy: signedInOnly,
    answer: storedDetails.meta({ id: 'BillingDetails' }),
  }),
  updateBillingDetails: relay({
    at: 'PUT /billing-details',
    pattern: 'orders.updateBillingDetails',
    summary: 'Change what you want to have on your invoices; issued ones stay as they are',
    policy: signedInOnly,
    // All fields are required, because the call replaces all details.
    body: allBillingDetails.meta({ id: 'BillingDetailsUpdate' }),
    answer: storedDetails.meta({ id: 'BillingDetails' }),
  }),
  checkVatId: relay({
    at: 'POST /vat-id-check',
    pattern: 'orders.checkVatId',
    summary:
      'Whether a VAT ID is valid, according to its form and to the register of the European Commission',
    policy: { ...signedInOnly, limit: 'payments' },
    body: z.strictObject({ vatId: requiredLine(20) }).meta({ id: 'VatIdCheck' }),
    answer: z.object({ vatId: z.string(), state: vatIdState }).meta({ id: 'VatIdChecked' }),
  }),
  /** Throws PRICE_CHANGED unless the package is on offer at this price. */
  quoteTax: relay({
    at: 'POST /tax-quote',
    pattern: 'orders.quoteTax',
    summary: 'What an order would cost with these details, and the tax in it',
    policy: { ...signedInOnly, limit: 'payments' },
    body: z
      .strictObject({
        packageName: requiredLine(10_000),
        packagePrice: shownPrice,
        /** Used if the details have no country. */
        customerCountry: optionalLine(100),
        billingDetails: billingDetails.optional(),
      })
      .meta({ id: 'TaxQuoteRequest' }),
    answer: taxQuote.meta({ id: 'TaxQuote' }),
    failures: ['PRICE_CHANGED'],
  }),
});

export const billingDetailsContract = relayedIn(billingDetailsOperations);
