/** The currency of all prices, ISO 4217. */
export const currency = 'USD';

/** `"290"`, `"290.5"` or `"290.00"` in cents. */
export function centsOf(price: string): number {
  const [dollars = '', fraction = ''] = price.split('.');
  return Number(dollars) * 100 + Number(fraction.padEnd(2, '0'));
}

/** Cents as dollars with two decimals, e.g. `1290.00`. Also used for amounts in other currencies. */
export function dollarsOf(cents: number): string {
  const fraction = String(cents % 100).padStart(2, '0');
  return `${Math.trunc(cents / 100)}.${fraction}`;
}
