import type { Pairs } from './encoding.js';
import type {
  ApiMisbehaviour,
  ApiOperation,
  NotificationMisbehaviour,
  PaymentMatch,
  PaymentStatus,
  PostbackMode,
} from './model.js';
import { Refusal } from './refusal.js';

interface Rule<T> {
  match: PaymentMatch;
  misbehaviour: T;
  usesLeft: number;
}

const maxRules = 1_000;

/** Of the rules that match, the newest applies. */
export class Misbehaviours {
  private readonly notifications = new Rules<NotificationMisbehaviour>();
  private readonly postbacks = new Rules<PostbackMode>();
  private readonly calls = new Rules<ApiMisbehaviour>();

  addForNotifications(match: PaymentMatch, how: NotificationMisbehaviour): void {
    this.notifications.add(match, how, how.times);
  }

  addForPostbacks(match: PaymentMatch, mode: PostbackMode, times?: number): void {
    this.postbacks.add(match, mode, times);
  }

  addForCalls(how: ApiMisbehaviour): void {
    this.calls.add(how.match ?? {}, how, how.times);
  }

  forget(match?: PaymentMatch): void {
    this.notifications.forget(match);
    this.postbacks.forget(match);
    this.calls.forget(match);
  }

  /** Counts as a use of the rule that applies, as every `take…` does. */
  takeForIpn(fields: Pairs): NotificationMisbehaviour | undefined {
    const status = valueOf(fields, 'payment_status') as PaymentStatus | undefined;
    return this.notifications.take(fields, ({ statuses, events }) =>
      statuses ? status !== undefined && statuses.includes(status) : events === undefined,
    );
  }

  takeForWebhook(fields: Pairs, eventType: string): NotificationMisbehaviour | undefined {
    return this.notifications.take(fields, ({ statuses, events }) =>
      events ? events.includes(eventType) : statuses === undefined,
    );
  }

  takeForCall(operation: ApiOperation, fields: Pairs): ApiMisbehaviour | undefined {
    return this.calls.take(fields, (how) => how.operation === undefined || how.operation === operation);
  }

  takeForPostback(fields: Pairs): PostbackMode {
    return this.postbacks.take(fields) ?? 'normal';
  }
}

class Rules<T> {
  private rules: Rule<T>[] = [];

  add(match: PaymentMatch, misbehaviour: T, times = Infinity): void {
    if (this.rules.length >= maxRules) throw new Refusal(409, 'There are too many rules: remove some.');
    this.rules.unshift({ match, misbehaviour, usesLeft: times });
  }

  forget(match?: PaymentMatch): void {
    this.rules = match ? this.rules.filter((rule) => !sameMatch(rule.match, match)) : [];
  }

  take(fields: Pairs, applies: (misbehaviour: T) => boolean = () => true): T | undefined {
    const rule = this.rules.find(
      ({ match, misbehaviour }) => matchesFields(match, fields) && applies(misbehaviour),
    );
    if (!rule) return undefined;
    rule.usesLeft--;
    if (rule.usesLeft <= 0) this.rules = this.rules.filter((other) => other !== rule);
    return rule.misbehaviour;
  }
}

const fieldNames = {
  invoice: 'invoice',
  custom: 'custom',
  transactionId: 'txn_id',
  orderId: 'order_id',
  subscriptionId: 'subscription_id',
} as const;

/** Refunds and reversals also match by the `txn_id` of their payment. */
export function matchesFields(match: PaymentMatch, fields: Pairs): boolean {
  return (Object.keys(fieldNames) as (keyof PaymentMatch)[]).every((key) => {
    const wanted = match[key];
    if (wanted === undefined || valueOf(fields, fieldNames[key]) === wanted) return true;
    return key === 'transactionId' && valueOf(fields, 'parent_txn_id') === wanted;
  });
}

const sameMatch = (one: PaymentMatch, other: PaymentMatch) =>
  (Object.keys(fieldNames) as (keyof PaymentMatch)[]).every((key) => one[key] === other[key]);

export const valueOf = (fields: Pairs, name: string) => fields.find(([key]) => key === name)?.[1];

/** Replaces fields in their place, and adds new ones at the end; null removes a field. */
export function withChanges(fields: Pairs, changes: Record<string, string | null>): Pairs {
  const kept = fields.flatMap(([name, value]): Pairs => {
    if (!Object.hasOwn(changes, name)) return [[name, value]];
    const changed = changes[name];
    return changed === null || changed === undefined ? [] : [[name, changed]];
  });
  const added = Object.entries(changes).filter(
    (entry): entry is [string, string] => entry[1] !== null && !fields.some(([name]) => name === entry[0]),
  );
  return [...kept, ...added];
}
