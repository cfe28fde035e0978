import { money } from '../../lib/money.js';

/** What was typed as the API expects it: `$1,290.5` is `1290.50`. Undefined if it is not an amount. */
export function wireAmount(typed: string): string | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(typed.trim()) ?? [];
  if (dollars === undefined) return undefined;
  return `${BigInt(dollars.replaceAll(',', ''))}.${cents.padEnd(2, '0')}`;
}

/** Why an amount cannot be refunded when `left` is left; undefined if it can. */
export function refundFault(typed: string, left: string): string | undefined {
  if (!typed.trim()) return 'Enter an amount';
  const amount = wireAmount(typed);
  if (amount === undefined) return 'Enter an amount like 10.00';
  if (Number(amount) === 0) return 'Enter more than $0.00';
  return Number(amount) > Number(left) ? `Enter at most ${money(left)}` : undefined;
}
