/** The currency of all prices (ISO 4217). */
export const currency = 'USD';

/** Takes `"290"`, `"290.5"` or `"290.00"`. */
export function centsOf(price: string): number {
  const [dollars = '', fraction = ''] = price.split('.');
  return Number(dollars) * 100 + Number(fraction.padEnd(2, '0'));
}

/** With two decimals, e.g. `1290.00`. Also for other currencies. */
export function dollarsOf(cents: number): string {
  const fraction = String(cents % 100).padStart(2, '0');
  return `${Math.trunc(cents / 100)}.${fraction}`;
}
