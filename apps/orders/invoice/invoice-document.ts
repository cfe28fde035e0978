import type { InvoiceCause, InvoiceDocument, InvoiceSettings, VatIdState } from '#libs/contracts';
import type { MoneyMovement, OrderBuyer } from '../invoice-task/invoice-task.entity.js';
import { currency } from '../money/price.js';
import { splitGross } from '../money/tax.js';
import { taxTreatment } from '../tax/tax-rule.js';
import { countryOf } from '../tax/tax.service.js';
import { dayIn } from './invoice-number.js';

/** A document without its number and day of issue, which are assigned last. */
export type Draft = Omit<InvoiceDocument, 'number' | 'issuedOn'>;

export type Buyer = InvoiceDocument['buyer'];

export interface Issuer {
  settings: InvoiceSettings;
  /** The site's name when the order was paid. If that is not known, its present name; if it has none, the name of the business. */
  site: string;
  logo: string | null;
}

interface Sale extends Pick<Draft, 'order' | 'item' | 'buyer'> {
  vatIdState: VatIdState | null;
  grossCents: number;
  /** The day whose tax rates apply, YYYY-MM-DD. */
  day: string;
}

export type Occasion = Pick<Draft, 'cause' | 'cites' | 'payment'>;

export function invoiceDraft(
  { settings, site, logo }: Issuer,
  { order, item, buyer, vatIdState, grossCents, day }: Sale,
  occasion: Occasion,
): Draft {
  const tax = taxTreatment(settings, { ...buyer, vatIdState }, day);
  const { netCents, taxCents } = splitGross(grossCents, tax.rate);
  return {
    ...{
      kind: 'invoice',
      currency,
      site,
      logo,
      paper: settings.paper,
      seller: sellerOf(settings),
      buyer,
      order,
      item,
    },
    ...{ tax, netCents, taxCents, grossCents, accounting: accountingOf(settings, taxCents), ...occasion },
  };
}

/**
 * A credit note for a part of an invoice. Its tax is the tax of all parts credited so far, this one included, minus the tax of the earlier parts. So
 * the credit notes of a fully credited invoice add up to exactly its net amount and its tax.
 */
export function creditNoteDraft(
  { settings, site, logo }: Issuer,
  cited: InvoiceDocument,
  { creditedCents, cents }: { creditedCents: number; cents: number },
  { cause, payment }: { cause: InvoiceCause; payment: Draft['payment'] },
): Draft {
  const { currency: citedCurrency, seller, buyer, order, item, tax, accounting } = cited;
  const before = splitGross(creditedCents, tax.rate).taxCents;
  const after = splitGross(creditedCents + cents, tax.rate).taxCents;
  const taxCents = after - before;
  return {
    ...{
      kind: 'credit_note',
      cause,
      currency: citedCurrency,
      site,
      logo,
      paper: settings.paper,
      seller,
      buyer,
      order,
      item,
    },
    ...{ tax, netCents: cents - taxCents, taxCents, grossCents: cents },
    accounting: accounting && {
      ...accounting,
      taxCents: converted(after, accounting.rate) - converted(before, accounting.rate),
    },
    ...{ payment, cites: { number: cited.number, issuedOn: cited.issuedOn } },
  };
}

/** Billing details without a first address line or country get those of the order. Without a known country, the buyer gets the seller's. */
export function buyerOf(
  { name, email, address, country, billing }: OrderBuyer,
  { countryCode }: InvoiceSettings,
): Buyer {
  return {
    ...{ name: name === '' ? 'Deleted account' : name, company: billing?.company ?? '', email },
    addressLine1: billing?.addressLine1 || address,
    ...{ addressLine2: billing?.addressLine2 ?? '', postalCode: billing?.postalCode ?? '' },
    city: billing?.city ?? '',
    countryCode: countryOf({ billing, customerCountry: country }) ?? countryCode,
    vatId: billing?.vatId ?? '',
  };
}

export function paymentOf(movement: MoneyMovement | null, { timeZone }: InvoiceSettings): Draft['payment'] {
  if (movement === null) return null;
  const { method, reference, at } = movement;
  return { method, reference, on: dayIn(timeZone, new Date(at)) };
}

function sellerOf(settings: InvoiceSettings): Draft['seller'] {
  const { name, addressLine1, addressLine2, postalCode, city, countryCode, email } = settings;
  const { taxNumber, vatId, register, bankAccount } = settings;
  return {
    ...{ name, addressLine1, addressLine2, postalCode, city, countryCode, email },
    ...{ taxNumber, vatId, register, bankAccount },
  };
}

function accountingOf(
  { accountingCurrency, exchangeRate: rate }: InvoiceSettings,
  taxCents: number,
): Draft['accounting'] {
  if (accountingCurrency === '' || taxCents === 0) return null;
  return { currency: accountingCurrency, rate, taxCents: converted(taxCents, rate) };
}

/** Whole numbers keep amounts exact. */
const millionths = (rate: string) => BigInt(Math.round(Number(rate) * 1e6));

/** Rounded half up to the cent. */
function converted(cents: number, rate: string): number {
  return Number((BigInt(cents) * millionths(rate) + 500_000n) / 1_000_000n);
}
