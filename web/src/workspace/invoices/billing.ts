import type { BillingDetails } from '#libs/contracts';

export type BillingField = keyof BillingDetails;

const emptyDetails: BillingDetails = {
  company: '',
  addressLine1: '',
  addressLine2: '',
  postalCode: '',
  city: '',
  countryCode: '',
  vatId: '',
};
const fields = Object.keys(emptyDetails) as BillingField[];

/** All fields are optional, and the server checks the VAT ID. */
export const billingChecks = Object.fromEntries(fields.map((field) => [field, () => undefined])) as Record<
  BillingField,
  () => undefined
>;

export function billingFrom(valueOf: (field: BillingField) => string): BillingDetails {
  const details = { ...emptyDetails };
  for (const field of fields) details[field] = valueOf(field).trim();
  return { ...details, vatId: vatIdFrom(details.vatId) };
}

export const isAnyFieldFilled = (details: BillingDetails): boolean =>
  fields.some((field) => details[field] !== '');

/** As the EU's register writes it: `de 123.456.789` → `DE123456789`. */
export const vatIdFrom = (typed: string): string => typed.replace(/[\s.-]/g, '').toUpperCase();

/** On one line. */
export function billingText({ postalCode, city, vatId, ...details }: BillingDetails): string {
  const { company, addressLine1, addressLine2, countryCode } = details;
  const parts = [company, addressLine1, addressLine2, `${postalCode} ${city}`.trim(), countryCode];
  return [...parts, vatId && `VAT ID ${vatId}`].filter(Boolean).join(', ');
}
