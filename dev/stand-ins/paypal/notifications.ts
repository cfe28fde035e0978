import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import { encodeForm, type NotificationCharset, type Pairs } from './encoding.js';
import { matchesFields, type Misbehaviours, valueOf, withChanges } from './misbehaviours.js';
import type { Delivery, NotificationMisbehaviour, NotificationState, PaymentMatch } from './model.js';
import { ipnProtocol, type Protocol, webhookProtocol } from './protocols.js';
import { Refusal } from './refusal.js';
import type { Sender } from './sender.js';
import type { Scheduled } from './timeline.js';

/** An IPN, or a webhook if `webhook` is set; times are in milliseconds. */
export interface NotificationRecord {
  id: string;
  url: string;
  /** The transaction id of the payment itself, also in a notification about its refund; null in one about no payment, and in a synthetic one. */
  payment: string | null;
  /** The `payment_status` or `txn_type` of an IPN, or the event type of a webhook. */
  about: string;
  /** The fields of an IPN. For a webhook, only what `matchesFields` compares; its content is in `body`. */
  fields: Pairs;
  body: string;
  /** The bytes of an IPN as PayPal wrote it; `body` differs if the IPN was tampered with afterwards. Null for a forgery or a webhook. */
  written: string | null;
  state: NotificationState;
  createdAt: number;
  nextAt: number | null;
  deliveries: (Omit<Delivery, 'at'> & { at: number })[];
  /** Undefined for an IPN. */
  webhook?: WebhookPart;
}

export interface WebhookPart {
  webhookId: string;
  eventId: string;
  headers: Record<string, string>;
  /** Whether PayPal wrote and signed it, with a good certificate. */
  genuine: boolean;
}

export interface WebhookDraft {
  url: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  payment: string | null;
  fields: Pairs;
  body: string;
}

export interface Transmission {
  body: string;
  headers: Record<string, string>;
  genuine: boolean;
}

export interface IpnDraft {
  url: string;
  payment: string | null;
  fields: Pairs;
  charset: NotificationCharset;
}

export interface NotificationsOptions {
  clock: Clock;
  misbehaviours: Misbehaviours;
  sender: Sender;
  changed?: () => void;
  /** Saves the state before each notification is sent, because PayPal never forgets a notification that it has sent. */
  save?: () => Promise<void>;
  sign: (webhookId: string, body: string, how: NotificationMisbehaviour) => Transmission;
}

const concurrency = 20;
const maxNotifications = 10_000;
const maxRecordedDeliveries = 100;
const resendMark = '&resend=true';

const ipnHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'PayPal IPN ( https://www.paypal.com/ipn )',
};

const isOfKind = (kind: 'ipn' | 'webhook', { webhook }: NotificationRecord) =>
  (kind === 'webhook') === (webhook !== undefined);

const protocolOf = (notification: NotificationRecord): Protocol =>
  notification.webhook ? webhookProtocol : ipnProtocol;

/** Repeats IPNs and webhooks until a listener accepts them or the last attempt fails. Forgets the oldest beyond `maxNotifications`. */
export class Notifications implements Scheduled {
  private readonly records = new Map<string, NotificationRecord>();
  /** The bytes (`written`) of each IPN that was sent, without and with `resend=true`; the value is the number of IPNs with these bytes. */
  private readonly sentBodies = new Map<string, number>();
  /** An entry for each attempt, because two attempts to send the same notification can overlap. */
  private readonly underWay = new Set<{ notification: NotificationRecord }>();
  private waiters: (() => void)[] = [];

  private readonly sender: Sender;

  constructor(private readonly options: NotificationsOptions) {
    this.sender = options.sender;
  }

  get all(): NotificationRecord[] {
    return [...this.records.values()];
  }

  list(
    kind: 'ipn' | 'webhook',
    { url, state, ...match }: PaymentMatch & { url?: string; state?: string },
  ): NotificationRecord[] {
    return this.all.filter(
      (notification) =>
        isOfKind(kind, notification) &&
        (url === undefined || notification.url === url) &&
        (state === undefined || notification.state === state) &&
        matchesFields(match, notification.fields),
    );
  }

  get(id: string): NotificationRecord {
    const notification = this.records.get(id);
    if (!notification) throw new Refusal(404, 'There is no such notification.');
    return notification;
  }

  /** Throws a Refusal if there is no such notification of this kind. */
  getToCopy(kind: 'ipn' | 'webhook', id: string): NotificationRecord {
    const notification = this.get(id);
    if (!isOfKind(kind, notification))
      throw new Refusal(400, `This is not ${kind === 'ipn' ? 'an IPN' : 'a webhook'}.`, 'copyFromId');
    return notification;
  }

  queueIpn(draft: IpnDraft): void {
    const how = this.options.misbehaviours.takeForIpn(draft.fields) ?? {};
    const fields = [...withChanges(draft.fields, how.fields ?? {}), ...(how.append ?? [])] as Pairs;
    const written = encodeForm(fields, draft.charset);
    const body = how.tamper ? encodeForm(withChanges(fields, how.tamper), draft.charset) : written;
    this.queue(how, () => ({ ...this.commonPart(draft, fields), body, written }));
  }

  queueWebhook({ webhookId, eventId, eventType, body, ...draft }: WebhookDraft): void {
    const how = this.options.misbehaviours.takeForWebhook(draft.fields, eventType) ?? {};
    const { body: sent, ...transmission } = this.options.sign(webhookId, body, how);
    this.queue(how, () => ({
      ...this.commonPart(draft, draft.fields),
      about: eventType,
      body: sent,
      written: null,
      webhook: { webhookId, eventId, ...transmission },
    }));
  }

  private queue(
    how: NotificationMisbehaviour,
    makeRecord: () => Omit<NotificationRecord, 'state' | 'nextAt'>,
  ): void {
    const state = how.drop ? 'dropped' : how.hold ? 'held' : 'waiting';
    const now = this.options.clock.now();
    for (let copies = 1 + (how.duplicate ?? 0); copies > 0; copies--) {
      const nextAt = state === 'waiting' ? now + (how.delayMs ?? 0) : null;
      this.add({ ...makeRecord(), state, nextAt });
    }
    this.runDue();
  }

  async sendSyntheticIpn(
    draft: IpnDraft,
    { genuine, body }: { genuine: boolean; body?: string },
  ): Promise<NotificationRecord> {
    const text = body ?? encodeForm(draft.fields, draft.charset);
    const record = { ...this.commonPart(draft, draft.fields), body: text, written: genuine ? text : null };
    this.add({ ...record, state: 'held', nextAt: null });
    return this.deliver(record.id);
  }

  async sendSyntheticWebhook(
    url: string,
    { body, eventType, ...webhook }: WebhookPart & { body: string; eventType: string },
  ): Promise<NotificationRecord> {
    const record = {
      ...this.commonPart({ url, payment: null }, []),
      about: eventType,
      body,
      written: null,
      webhook,
    };
    this.add({ ...record, state: 'held', nextAt: null });
    return this.deliver(record.id);
  }

  /**
   * Sends the notification now, whatever its state. If it was sent before, an IPN gets `resend=true`, and a genuine webhook is signed as a new
   * transmission.
   */
  async deliver(id: string): Promise<NotificationRecord> {
    const notification = this.get(id);
    const { webhook, body } = notification;
    const again = notification.deliveries.length > 0;
    if (again && webhook?.genuine) webhook.headers = this.options.sign(webhook.webhookId, body, {}).headers;
    await this.attempt(notification, again && !webhook ? body + resendMark : body);
    return notification;
  }

  hasSent(body: string): boolean {
    return this.sentBodies.has(body);
  }

  get nextAt(): number {
    return Math.min(...this.waiting.map(({ nextAt }) => nextAt!));
  }

  runDue(): void {
    if (this.sender.isClosed) return;
    for (const notification of this.due.slice(0, Math.max(0, concurrency - this.underWay.size))) {
      void this.attempt(notification, notification.body);
    }
  }

  /** Resolves when no notification is being sent or due. */
  async waitUntilIdle(): Promise<void> {
    while (this.underWay.size > 0 || this.due.length > 0) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
  }

  restore(records: NotificationRecord[]): void {
    for (const record of records) {
      this.records.set(record.id, record);
      if (record.deliveries.length > 0) this.addSentBodies(record);
    }
  }

  private get waiting(): NotificationRecord[] {
    const busy = new Set([...this.underWay].map(({ notification }) => notification));
    return this.all.filter((notification) => notification.state === 'waiting' && !busy.has(notification));
  }

  private get due(): NotificationRecord[] {
    const now = this.options.clock.now();
    return this.waiting.filter(({ nextAt }) => nextAt! <= now);
  }

  private commonPart({ url, payment }: Pick<IpnDraft, 'url' | 'payment'>, fields: Pairs) {
    return {
      id: randomUUID(),
      url,
      payment,
      about: valueOf(fields, 'payment_status') ?? valueOf(fields, 'txn_type') ?? '',
      fields,
      createdAt: this.options.clock.now(),
      deliveries: [],
    };
  }

  private add(notification: NotificationRecord): void {
    this.records.set(notification.id, notification);
    for (const [id, oldest] of this.records) {
      if (this.records.size <= maxNotifications) break;
      this.records.delete(id);
      this.removeSentBodies(oldest);
    }
    this.options.changed?.();
  }

  private async attempt(notification: NotificationRecord, body: string): Promise<void> {
    const { clock } = this.options;
    const sending = { notification };
    this.underWay.add(sending);
    // Before the first byte is sent, because a listener may post back before it answers.
    if (notification.deliveries.length === 0) this.addSentBodies(notification);
    const at = clock.now();
    await this.options.save?.();
    const answer = await this.sender.send(
      notification.url,
      body,
      notification.webhook?.headers ?? ipnHeaders,
    );
    this.underWay.delete(sending);
    if (this.sender.isClosed) return this.wake();
    if (notification.deliveries.length < maxRecordedDeliveries)
      notification.deliveries.push({ at, ...answer });
    if (answer.status !== null && protocolOf(notification).accepts(answer.status))
      this.end(notification, 'delivered');
    else if (notification.state !== 'delivered') this.repeatOrGiveUp(notification);
    this.options.changed?.();
    this.runDue();
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  private repeatOrGiveUp(notification: NotificationRecord): void {
    const pauseMs = protocolOf(notification).pauseMs(notification.deliveries.length - 1);
    if (pauseMs === null) return this.end(notification, 'given up');
    notification.state = 'waiting';
    notification.nextAt = this.options.clock.now() + pauseMs;
  }

  private end(notification: NotificationRecord, state: NotificationState): void {
    notification.state = state;
    notification.nextAt = null;
  }

  private addSentBodies({ written }: NotificationRecord): void {
    if (written === null) return;
    for (const body of [written, written + resendMark]) {
      this.sentBodies.set(body, (this.sentBodies.get(body) ?? 0) + 1);
    }
  }

  private removeSentBodies({ written, deliveries }: NotificationRecord): void {
    if (written === null || deliveries.length === 0) return;
    for (const body of [written, written + resendMark]) {
      const left = this.sentBodies.get(body)! - 1;
      if (left > 0) this.sentBodies.set(body, left);
      else this.sentBodies.delete(body);
    }
  }
}
