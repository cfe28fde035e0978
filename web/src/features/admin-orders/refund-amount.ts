import type { OrderPayment } from '#libs/contracts';
import { money } from '../../lib/money.js';

/** `$1,290.5` becomes `1290.50`. Undefined if the text is not an amount. */
export function apiAmount(typed: string): string | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(typed.trim()) ?? [];
  if (dollars === undefined) return undefined;
  return `${BigInt(dollars.replaceAll(',', ''))}.${cents.padEnd(2, '0')}`;
}

/**
 * Whether `left`, the amount that can still be refunded, is less than the payment minus its refunds. A dispute has then taken money, or a requested
 * refund is not made yet.
 */
export const isReduced = ({ amount, refunded }: OrderPayment, left: string): boolean =>
  Math.round(100 * (Number(amount) - Number(refunded) - Number(left))) > 0;

/** Undefined if the amount can be refunded. */
export function refundFault(typed: string, left: string): string | undefined {
  if (!typed.trim()) return 'Enter an amount';
  const amount = apiAmount(typed);
  if (amount === undefined) return 'Enter an amount like 10.00';
  if (Number(amount) === 0) return 'Enter more than $0.00';
  return Number(amount) > Number(left) ? `Enter at most ${money(left)}` : undefined;
}
