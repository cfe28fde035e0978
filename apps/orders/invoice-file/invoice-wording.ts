import type { InvoiceDocument } from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import { dollarsOf } from '../money/price.js';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** `moneyText(129_000, 'USD')` is `$1,290.00`. */
export function moneyText(cents: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(dollarsOf(cents) as Intl.StringNumericLiteral);
}

export const titleOf = ({ kind }: InvoiceDocument) => (kind === 'invoice' ? 'Invoice' : 'Credit note');

export function statusText({ kind, cause, payment, cites }: InvoiceDocument): string {
  const dayAndMethod = payment ? ` on ${utcDayInWords(payment.on)} with ${payment.method}` : '';
  if (kind === 'invoice') return `Paid${dayAndMethod}`;
  if (cause === 'correction') return `Cancels invoice ${cites?.number ?? ''}`;
  return `${{ refund: 'Refunded', dispute: 'Returned' }[cause as string] ?? 'Credited'}${dayAndMethod}`;
}

export function notesOf(document: InvoiceDocument): string[] {
  const { kind, cause, cites, tax, accounting, currency } = document;
  const cited = cites && `invoice ${cites.number} of ${utcDayInWords(cites.issuedOn)}`;
  const notes: string[] = [];
  if (cited && kind === 'credit_note') notes.push(`This credit note refers to ${cited}.`);
  if (cited && kind === 'invoice') notes.push(`This invoice replaces ${cited}, which was cancelled.`);
  if (cause === 'dispute') notes.push('The payment provider returned the money after a dispute.');
  if (tax.reason) notes.push(tax.reason);
  if (accounting)
    notes.push(
      `${taxNameOf(document)} in ${accounting.currency}: ${moneyText(accounting.taxCents, accounting.currency)} ` +
        `(1 ${currency} = ${accounting.rate} ${accounting.currency}).`,
    );
  return notes;
}

/** `VAT` if the seller has a VAT ID and the sale is subject to tax, otherwise `Tax`. Screens and mails always say tax. */
function taxNameOf({ seller, tax }: InvoiceDocument): string {
  return seller.vatId !== '' && tax.category !== 'O' ? 'VAT' : 'Tax';
}

/** E.g. `VAT 19%`. */
export function taxLabelOf(document: InvoiceDocument): string {
  const name = taxNameOf(document);
  if (document.tax.category === 'AE') return `${name} (reverse charge)`;
  return document.tax.category === 'O' ? name : `${name} ${document.tax.rate}%`;
}

/** Without empty lines. */
export function addressLines(party: InvoiceDocument['seller'] | InvoiceDocument['buyer']): string[] {
  const { addressLine1, addressLine2, postalCode, city, countryCode } = party;
  const place = [postalCode, city].filter((part) => part !== '').join(' ');
  return [addressLine1, addressLine2, place, countryNames.of(countryCode) ?? countryCode].filter(
    (line) => line.trim() !== '',
  );
}
