import { toSingleLine } from '#libs/contracts';
import type { NotificationFacts } from '../payment-provider.js';
import type { Movement } from '../provider-state.js';
import { type FormFields, readForm } from './form-fields.js';

/** From https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/. */
const movementOfStatus: Partial<Record<string, Movement>> = {
  Completed: 'received',
  Pending: 'pending',
  Failed: 'failed',
  Denied: 'failed',
  Expired: 'failed',
  Voided: 'failed',
  Refunded: 'refunded',
  Reversed: 'reversed',
  Canceled_Reversal: 'reversal_cancelled',
  Processed: 'noted',
  Created: 'noted',
  'In-Progress': 'noted',
};

/** The `pending_reason`s that last until the shop acts at PayPal; the others end by themselves. */
const acceptanceReasons: ReadonlySet<string> = new Set([
  'address',
  'authorization',
  'intl',
  'multi_currency',
  'order',
  'other',
  'unilateral',
  'upgrade',
  'verify',
]);

/** The fields that admins may read (`facts`). None of them is about the buyer. */
const factNames = [
  'txn_id',
  'parent_txn_id',
  'txn_type',
  'payment_status',
  'pending_reason',
  'reason_code',
  'payment_date',
  'payment_type',
  'mc_gross',
  'mc_fee',
  'mc_currency',
  'business',
  'receiver_email',
  'receiver_id',
  'invoice',
  'item_name',
  'test_ipn',
  'case_id',
  'case_type',
  'ipn_track_id',
];

/** An instant payment notification (IPN) or an answer of payment data transfer (PDT): they have the same fields. */
export class PaypalNotification {
  private readonly fields: FormFields;

  constructor(body: Buffer) {
    this.fields = readForm(body);
  }

  get(name: string): string {
    return this.fields.get(name) ?? '';
  }

  get repeatedNames(): readonly string[] {
    return this.fields.repeatedNames;
  }

  /** The token of the attempt, from `custom`. Undefined if `custom` occurs twice, because it is then unclear which attempt is meant. */
  get token(): string | undefined {
    return this.repeatedNames.includes('custom') ? undefined : this.fields.get('custom');
  }

  /** Reports the end of a dispute. With a `payment_status`, money moves: a chargeback takes it, and a dispute that the shop wins returns it. */
  get isAdjustment(): boolean {
    return this.get('txn_type') === 'adjustment';
  }

  get needsAcceptance(): boolean {
    return this.movement === 'pending' && acceptanceReasons.has(this.get('pending_reason'));
  }

  /** Undefined for a status that PayPal does not document, and for an adjustment that is not `Completed` or has no valid amount. */
  get movement(): Movement | undefined {
    const status = this.get('payment_status');
    if (this.isAdjustment) {
      if (status !== 'Completed' || this.grossCents === undefined) return undefined;
      return this.grossCents < 0 ? 'reversed' : 'reversal_cancelled';
    }
    return Object.hasOwn(movementOfStatus, status) ? movementOfStatus[status] : undefined;
  }

  /** Negative if money was taken back. Undefined unless `mc_gross` is a number with two decimals. */
  get grossCents(): number | undefined {
    return centsIn(this.get('mc_gross'));
  }

  get feeCents(): number | undefined {
    return centsIn(this.get('mc_fee'));
  }

  get happenedAt(): Date | undefined {
    return paypalTime(this.get('payment_date'));
  }

  /** Nothing about the buyer, and no characters that a database cannot store or a terminal cannot show. */
  get facts(): NotificationFacts {
    return Object.fromEntries(
      factNames.flatMap((name) => {
        const value = this.fields.get(name);
        return value === undefined || value === '' ? [] : [[name, toShortLine(value)]];
      }),
    );
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Hours to add for UTC: PayPal's times are in the time zone of California. */
const offsets: Record<string, number> = { PST: 8, PDT: 7 };

/** E.g. `20:12:59 Jan 13, 2026 PST`. */
function paypalTime(text: string): Date | undefined {
  const match = /^(\d\d):(\d\d):(\d\d) ([A-Z][a-z]{2})\.? (\d{1,2}), (\d{4}) (P[SD]T)$/.exec(text);
  if (!match) return undefined;
  const [, hour, minute, second, month, day, year, zone] = match;
  const monthIndex = months.indexOf(month!);
  if (monthIndex < 0) return undefined;
  const [h, m, s] = [Number(hour) + offsets[zone!]!, Number(minute), Number(second)];
  return new Date(Date.UTC(Number(year), monthIndex, Number(day), h, m, s));
}

function centsIn(amount: string): number | undefined {
  const [, sign, whole, decimals] = /^(-?)(\d{1,10})\.(\d\d)$/.exec(amount) ?? [];
  return whole === undefined ? undefined : Number(`${sign}${whole}${decimals}`);
}

export function toShortLine(value: string): string {
  return toSingleLine(value, 200);
}
