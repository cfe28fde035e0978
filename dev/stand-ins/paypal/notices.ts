import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.js';
import { encodeForm, type NoticeCharset, type Pairs } from './encoding.js';
import { matchesFields, type Misbehaviours, valueOf, withChanges } from './misbehaviours.js';
import type { Delivery, Misbehaviour, NoticeState, PaymentMatch } from './model.js';
import { instantNotification, type Protocol, webhook } from './protocols.js';
import { Refusal } from './refusal.js';
import type { Sender } from './sender.js';
import type { Scheduled } from './timeline.js';

/** `Notice` with times in milliseconds. */
export interface NoticeRecord {
  id: string;
  url: string;
  payment: string | null;
  about: string;
  fields: Pairs;
  /** The bytes that are sent. */
  body: string;
  /** The bytes that PayPal signed; they differ from `body` if that was changed afterwards. Null for a forgery. */
  written: string | null;
  state: NoticeState;
  createdAt: number;
  nextAt: number | null;
  deliveries: (Omit<Delivery, 'at'> & { at: number })[];
  /** Only of webhooks of the REST API. */
  webhook?: WebhookPart;
}

export interface WebhookPart {
  webhookId: string;
  eventId: string;
  /** The headers of its transmission, with the signature. */
  headers: Record<string, string>;
  /** Whether the signature is good. */
  genuine: boolean;
}

/** A webhook event for one address, before it is signed. */
export interface WebhookDraft {
  url: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  payment: string | null;
  /** For rules of misbehaviour. */
  fields: Pairs;
  body: string;
}

export interface Transmission {
  body: string;
  headers: Record<string, string>;
  genuine: boolean;
}

export interface Draft {
  url: string;
  payment: string | null;
  fields: Pairs;
  charset: NoticeCharset;
}

export interface NoticesOptions {
  clock: Clock;
  misbehaviours: Misbehaviours;
  sender: Sender;
  /** Called when state that must survive a restart has changed. */
  changed?: () => void;
  /** Resolves when the state is saved. PayPal never forgets what it has told somebody. */
  saved?: () => Promise<void>;
  /** Signs a webhook for a transmission that begins now. */
  sign: (webhookId: string, body: string, how: Misbehaviour) => Transmission;
}

const concurrency = 20;
const limit = 10_000;
/** A notice can be sent again manually, so attempts are limited. */
const mostDeliveries = 100;
const resendMark = '&resend=true';

const notificationHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'PayPal IPN ( https://www.paypal.com/ipn )',
};

const protocolOf = (notice: NoticeRecord): Protocol => (notice.webhook ? webhook : instantNotification);

/** Writes and sends notices and webhooks, repeats them until a listener accepts them, and remembers them all. */
export class Notices implements Scheduled {
  private readonly records = new Map<string, NoticeRecord>();
  /** Sent genuine bodies, each with the number of notices that contain it. */
  private readonly written = new Map<string, number>();
  private readonly underWay = new Set<{ notice: NoticeRecord }>();
  private waiters: (() => void)[] = [];

  private readonly sender: Sender;

  constructor(private readonly options: NoticesOptions) {
    this.sender = options.sender;
  }

  get all(): NoticeRecord[] {
    return [...this.records.values()];
  }

  /** The notices or the webhooks that match. */
  find(
    kind: 'notice' | 'webhook',
    { url, state, ...match }: PaymentMatch & { url?: string; state?: string },
  ): NoticeRecord[] {
    return this.all.filter(
      (notice) =>
        (kind === 'webhook') === (notice.webhook !== undefined) &&
        (url === undefined || notice.url === url) &&
        (state === undefined || notice.state === state) &&
        matchesFields(match, notice.fields),
    );
  }

  get(id: string): NoticeRecord {
    const notice = this.records.get(id);
    if (!notice) throw new Refusal(404, 'There is no such notice.');
    return notice;
  }

  /** Posts a notice, after applying any misbehaviour. */
  post(draft: Draft): void {
    const how = this.options.misbehaviours.ofNotice(draft.fields) ?? {};
    const fields = [...withChanges(draft.fields, how.fields ?? {}), ...(how.append ?? [])] as Pairs;
    const written = encodeForm(fields, draft.charset);
    const body = how.tamper ? encodeForm(withChanges(fields, how.tamper), draft.charset) : written;
    this.queue(how, () => ({ ...this.blank(draft, fields), body, written }));
  }

  /** Posts a webhook, after applying any misbehaviour. */
  postWebhook({ webhookId, eventId, eventType, body, ...draft }: WebhookDraft): void {
    const how = this.options.misbehaviours.ofWebhook(draft.fields, eventType) ?? {};
    const { body: sent, ...transmission } = this.options.sign(webhookId, body, how);
    this.queue(how, () => ({
      ...this.blank(draft, draft.fields),
      about: eventType,
      body: sent,
      written: null,
      webhook: { webhookId, eventId, ...transmission },
    }));
  }

  private queue(how: Misbehaviour, write: () => Omit<NoticeRecord, 'state' | 'nextAt'>): void {
    const state = how.drop ? 'dropped' : how.hold ? 'held' : 'waiting';
    const now = this.options.clock.now();
    for (let copies = 1 + (how.duplicate ?? 0); copies > 0; copies--) {
      const nextAt = state === 'waiting' ? now + (how.delayMs ?? 0) : null;
      this.add({ ...write(), state, nextAt });
    }
    this.runDue();
  }

  /** Sends an invented notice, and waits for the answer. */
  async invent(draft: Draft, { genuine, body }: { genuine: boolean; body?: string }): Promise<NoticeRecord> {
    const text = body ?? encodeForm(draft.fields, draft.charset);
    const record = { ...this.blank(draft, draft.fields), body: text, written: genuine ? text : null };
    this.add({ ...record, state: 'held', nextAt: null });
    return this.deliver(record.id);
  }

  /** Sends an invented webhook, and waits for the answer. */
  async inventWebhook(
    url: string,
    { body, eventType, ...webhook }: WebhookPart & { body: string; eventType: string },
  ): Promise<NoticeRecord> {
    const record = {
      ...this.blank({ url, payment: null }, []),
      about: eventType,
      body,
      written: null,
      webhook,
    };
    this.add({ ...record, state: 'held', nextAt: null });
    return this.deliver(record.id);
  }

  /**
   * Sends a notice now in any state; as from the history if it was sent before: a notice with `resend=true`, and a webhook in a new
   * transmission, with a signature of its own.
   */
  async deliver(id: string): Promise<NoticeRecord> {
    const notice = this.get(id);
    const again = notice.deliveries.length > 0;
    if (again && notice.webhook?.genuine)
      Object.assign(notice.webhook, this.options.sign(notice.webhook.webhookId, notice.body, {}));
    await this.attempt(notice, again && !notice.webhook ? notice.body + resendMark : notice.body);
    return notice;
  }

  /** Whether PayPal has sent these bytes to anybody. */
  hasSent(body: string): boolean {
    return this.written.has(body);
  }

  get nextAt(): number {
    return Math.min(...this.waiting.map(({ nextAt }) => nextAt!));
  }

  /** Sends due notices. */
  runDue(): void {
    if (this.sender.isClosed) return;
    for (const notice of this.due.slice(0, Math.max(0, concurrency - this.underWay.size))) {
      void this.attempt(notice, notice.body);
    }
  }

  /** Resolves when no notice is being sent or due. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0 || this.due.length > 0) {
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
  }

  restore(records: NoticeRecord[]): void {
    for (const record of records) {
      this.records.set(record.id, record);
      if (record.deliveries.length > 0) this.remember(record);
    }
  }

  private get waiting(): NoticeRecord[] {
    const busy = new Set([...this.underWay].map(({ notice }) => notice));
    return this.all.filter((notice) => notice.state === 'waiting' && !busy.has(notice));
  }

  private get due(): NoticeRecord[] {
    const now = this.options.clock.now();
    return this.waiting.filter(({ nextAt }) => nextAt! <= now);
  }

  private blank({ url, payment }: Pick<Draft, 'url' | 'payment'>, fields: Pairs) {
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

  private add(notice: NoticeRecord): void {
    this.records.set(notice.id, notice);
    for (const [id, oldest] of this.records) {
      if (this.records.size <= limit) break;
      this.records.delete(id);
      this.forget(oldest);
    }
    this.options.changed?.();
  }

  private async attempt(notice: NoticeRecord, body: string): Promise<void> {
    const { clock } = this.options;
    const journey = { notice };
    this.underWay.add(journey);
    // Before the first byte is sent, because a listener may post back before it has received everything.
    if (notice.deliveries.length === 0) this.remember(notice);
    const at = clock.now();
    await this.options.saved?.();
    const answer = await this.sender.send(notice.url, body, notice.webhook?.headers ?? notificationHeaders);
    this.underWay.delete(journey);
    if (this.sender.isClosed) return this.wake();
    if (notice.deliveries.length < mostDeliveries) notice.deliveries.push({ at, ...answer });
    if (answer.status !== null && protocolOf(notice).accepts(answer.status)) this.end(notice, 'delivered');
    else if (notice.state !== 'delivered') this.repeat(notice);
    this.options.changed?.();
    this.runDue();
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  private repeat(notice: NoticeRecord): void {
    const pauseMs = protocolOf(notice).pauseMs(notice.deliveries.length - 1);
    if (pauseMs === null) return this.end(notice, 'given up');
    notice.state = 'waiting';
    notice.nextAt = this.options.clock.now() + pauseMs;
  }

  private end(notice: NoticeRecord, state: NoticeState): void {
    notice.state = state;
    notice.nextAt = null;
  }

  private remember({ written }: NoticeRecord): void {
    if (written === null) return;
    for (const body of [written, written + resendMark]) {
      this.written.set(body, (this.written.get(body) ?? 0) + 1);
    }
  }

  private forget({ written, deliveries }: NoticeRecord): void {
    if (written === null || deliveries.length === 0) return;
    for (const body of [written, written + resendMark]) {
      const left = this.written.get(body)! - 1;
      if (left > 0) this.written.set(body, left);
      else this.written.delete(body);
    }
  }
}
