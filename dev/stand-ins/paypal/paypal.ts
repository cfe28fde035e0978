import { type Purchase, readPurchase } from './checkout-form.js';
import { Checkouts } from './checkouts.js';
import { Clock } from './clock.js';
import { encodeForm, type Pairs } from './encoding.js';
import { newTransactionId } from './identifiers.js';
import { PaymentLedger, type PaymentRecord } from './ledger.js';
import { caseMessage, inventedMessage, paymentDataTransfer, paymentMessage } from './message.js';
import { Merchants } from './merchants.js';
import { Misbehaviours, withChanges } from './misbehaviours.js';
import { type NoticeRecord, Notices } from './notices.js';
import type { InventedWebhook, Merchant } from './model.js';
import { Refusal } from './refusal.js';
import { Rest, type RestSnapshot } from './rest/rest.js';
import { Sender } from './sender.js';
import { Timeline } from './timeline.js';

/** The state that must survive a restart. */
export interface Snapshot {
  clockAhead: number;
  merchants: Merchant[];
  payments: PaymentRecord[];
  notices: NoticeRecord[];
  /** Missing in files of former versions. */
  rest?: RestSnapshot;
}

export interface PayPalOptions {
  clock?: 'running' | 'standing';
  /** The identity token of every merchant, which turns PDT on; without it, PDT is off until a merchant is given one. */
  pdtToken?: string;
  listenerTimeoutMs?: number;
  /** The state before the last end. */
  snapshot?: Snapshot;
  /** Called when the snapshot has changed. */
  changed?: () => void;
  /** Resolves when the latest snapshot is saved. */
  saved?: () => Promise<void>;
}

/** The simulated PayPal without its HTTP server: accounts, ledger, checkouts, notices, and the REST API. */
export class PayPal {
  readonly clock: Clock;
  readonly merchants: Merchants;
  readonly ledger: PaymentLedger;
  readonly checkouts: Checkouts;
  readonly misbehaviours = new Misbehaviours();
  readonly notices: Notices;
  readonly rest: Rest;
  readonly timeline: Timeline;
  private readonly sender: Sender;

  constructor({
    clock = 'running',
    pdtToken,
    listenerTimeoutMs,
    snapshot,
    changed: keep,
    saved,
  }: PayPalOptions = {}) {
    const changed = () => {
      keep?.();
      this.timeline.arm();
    };
    this.clock = new Clock(clock, snapshot?.clockAhead);
    this.merchants = new Merchants(pdtToken);
    this.sender = new Sender(listenerTimeoutMs);
    this.notices = new Notices({
      clock: this.clock,
      misbehaviours: this.misbehaviours,
      sender: this.sender,
      changed,
      ...(saved && { saved }),
      sign: (webhookId, body, how) => this.rest.sign(webhookId, body, how),
    });
    this.ledger = new PaymentLedger(this.clock, {
      booked: (payment, booking) => {
        changed();
        this.notify(payment, (merchant) => paymentMessage(payment, booking, merchant));
        this.rest.booked(payment, booking);
      },
      caseOpened: (payment) =>
        this.notify(payment, (merchant) => caseMessage(payment, merchant, this.clock.now())),
    });
    this.checkouts = new Checkouts(this.merchants, this.ledger);
    this.rest = new Rest({
      clock: this.clock,
      merchants: this.merchants,
      ledger: this.ledger,
      post: (draft) => this.notices.postWebhook(draft),
      changed,
    });
    this.timeline = new Timeline(this.clock, [this.rest.subscriptions, this.notices], changed);
    if (!snapshot) return;
    this.merchants.restore(snapshot.merchants);
    this.ledger.restore(snapshot.payments);
    if (snapshot.rest) this.rest.restore(snapshot.rest);
    this.notices.restore(snapshot.notices);
  }

  /** Sets the clock to any time. Throws a Refusal if somebody has paid or subscribed already. */
  startClockAt(time: number): void {
    if (this.ledger.all.length > 0 || this.rest.subscriptions.all.length > 0)
      throw new Refusal(409, 'The clock cannot be set back after a payment or a subscription.', 'startAt');
    this.clock.startAt(time);
  }

  readPurchase(pairs: Pairs): Purchase {
    return readPurchase(pairs, this.merchants);
  }

  /** PayPal's answer to `cmd=_notify-validate` for the bytes after it. */
  verdict(body: string): 'VERIFIED' | 'INVALID' {
    return this.notices.hasSent(body) ? 'VERIFIED' : 'INVALID';
  }

  /** PayPal's answer to `cmd=_notify-synch`. */
  dataTransfer(transactionId: string, token: string): string {
    const [payment] = this.ledger
      .find({ transactionId })
      .filter((found) => found.transactionId === transactionId);
    if (!payment) return 'FAIL\nError: 4002\n';
    const merchant = this.merchants.get(payment.purchase.merchantId);
    if (merchant.pdtToken === null || merchant.pdtToken !== token) return 'FAIL\nError: 4003\n';
    const lines = encodeForm(paymentDataTransfer(payment, merchant), merchant.charset).replaceAll('&', '\n');
    return `SUCCESS\n${lines}\n`;
  }

  /** Sends an invented notice; see `PayPalSimulator.sendNotice`. */
  invent({ url, like, fields = {}, genuine = true, body }: InventedNotice): Promise<NoticeRecord> {
    const base = like ? this.notices.get(like).fields : inventedMessage(newTransactionId(), this.clock.now());
    const draft = { url, payment: null, fields: withChanges(base, fields), charset: 'windows-1252' as const };
    return this.notices.invent(draft, { genuine, ...(body !== undefined && { body }) });
  }

  /** Sends an invented webhook; see `PayPalSimulator.sendWebhook`. */
  async inventWebhook(wanted: InventedWebhook): Promise<NoticeRecord> {
    await this.rest.certificates.prepare();
    const like = wanted.like === undefined ? undefined : this.notices.get(wanted.like).body;
    return this.notices.inventWebhook(wanted.url, this.rest.events.invent(wanted, like));
  }

  /** Sends many forgeries; see `PayPalSimulator.floodWebhooks`. Nothing is recorded. */
  async flood(count: number, concurrency: number, wanted: InventedWebhook): Promise<Record<string, number>> {
    await this.rest.certificates.prepare();
    const answers: Record<string, number> = {};
    let left = count;
    const sendSome = async () => {
      while (left-- > 0) {
        const { body, headers } = this.rest.events.invent({ ...wanted, genuine: false }, undefined);
        const { status, fault } = await this.sender.send(wanted.url, body, headers);
        const answer = String(status ?? fault);
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, sendSome));
    return answers;
  }

  snapshot(): Snapshot {
    return {
      clockAhead: Math.max(0, this.clock.ahead),
      merchants: this.merchants.all,
      payments: this.ledger.all,
      notices: this.notices.all,
      rest: this.rest.snapshot(),
    };
  }

  close(): void {
    this.sender.close();
    this.timeline.close();
  }

  private notify(payment: PaymentRecord, write: (merchant: Merchant) => Pairs): void {
    const { merchantId, notifyUrl } = payment.purchase;
    if (notifyUrl === null) return;
    const merchant = this.merchants.get(merchantId);
    this.notices.post({
      url: notifyUrl,
      payment: payment.transactionId,
      fields: write(merchant),
      charset: merchant.charset,
    });
  }
}

export interface InventedNotice {
  url: string;
  like?: string | undefined;
  fields?: Record<string, string | null> | undefined;
  genuine?: boolean | undefined;
  body?: string | undefined;
}
