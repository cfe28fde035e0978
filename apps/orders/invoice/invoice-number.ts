import { type InvoiceKind, type InvoiceSettings, isDemoAddress } from '#libs/contracts';
import { addSeconds, utcDay } from '#libs/runtime';
import { demoPrefix } from './invoice-settings.service.js';

/** Documents are numbered within each series and year. Demo customers have series of their own, because demo data can be removed. */
export type InvoiceSeries = InvoiceKind | `demo_${InvoiceKind}`;

export function seriesOf(kind: InvoiceKind, buyer: { email: string }): InvoiceSeries {
  return isDemoAddress(buyer.email) ? `demo_${kind}` : kind;
}

/** Prefixes have no digits, so each combination of prefix, year and sequence gives a number of its own. */
export function numberOf(
  series: InvoiceSeries,
  { invoicePrefix, creditNotePrefix }: Pick<InvoiceSettings, 'invoicePrefix' | 'creditNotePrefix'>,
  { year, sequence }: { year: number; sequence: number },
): string {
  const prefix = series.endsWith('credit_note') ? creditNotePrefix : invoicePrefix;
  const demo = series.startsWith('demo_') ? demoPrefix : '';
  return `${demo}${prefix}${year}-${String(sequence).padStart(5, '0')}`;
}

/** YYYY-MM-DD. */
export function dayIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)!.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export function dayBefore(day: string): string {
  return utcDay(addSeconds(new Date(day), -86_400));
}
