import { type Purchase, readPurchase } from './purchase.js';
import { Checkouts } from './checkouts.js';
import { Clock } from './clock.js';
import { encodeForm, type Pairs } from './encoding.js';
import { newTransactionId } from './identifiers.js';
import { PaymentLedger, type PaymentRecord } from './ledger.js';
import { caseMessage, syntheticMessage, pdtFields, paymentMessage } from './ipn-message.js';
import { Merchants } from './merchants.js';
import { Misbehaviours, valueOf, withChanges } from './misbehaviours.js';
import { type NotificationRecord, Notifications } from './notifications.js';
import type { SyntheticWebhook, Merchant } from './model.js';
import { Refusal } from './refusal.js';
import { Rest, type RestSnapshot } from './rest/rest.js';
import { Sender } from './sender.js';
import { Timeline } from './timeline.js';

/** The state that must survive a restart. */
export interface Snapshot {
  clockAhead: number;
  merchants: Merchant[];
  payments: PaymentRecord[];
  /** The IPNs and webhooks. The key keeps its old name, because saved files have it. */
  notices: NotificationRecord[];
  /** Absent from snapshots of earlier versions. */
  rest?: RestSnapshot;
}

export interface PayPalOptions {
  clock?: 'running' | 'frozen';
  /** The identity token of every new merchant, which turns PDT on. Default: PDT is off until a merchant is given a token. */
  pdtToken?: string;
  listenerTimeoutMs?: number;
  snapshot?: Snapshot;
  /** Called whenever the `snapshot()` may have changed. */
  changed?: () => void;
  /** See `NotificationsOptions.save`. */
  save?: () => Promise<void>;
}

/** The simulated PayPal without its HTTP server. */
export class PayPal {
  readonly clock: Clock;
  readonly merchants: Merchants;
  readonly ledger: PaymentLedger;
  readonly checkouts: Checkouts;
  readonly misbehaviours = new Misbehaviours();
  readonly notifications: Notifications;
  readonly rest: Rest;
  readonly timeline: Timeline;
  private readonly sender: Sender;

  constructor({
    clock = 'running',
    pdtToken,
    listenerTimeoutMs,
    snapshot,
    changed: onSnapshotChanged,
    save,
  }: PayPalOptions = {}) {
    const stateChanged = () => {
      onSnapshotChanged?.();
      this.timeline.setTimer();
    };
    this.clock = new Clock(clock, snapshot?.clockAhead);
    this.merchants = new Merchants(pdtToken ?? null, stateChanged);
    this.sender = new Sender(listenerTimeoutMs);
    this.notifications = new Notifications({
      clock: this.clock,
      misbehaviours: this.misbehaviours,
      sender: this.sender,
      changed: stateChanged,
      ...(save && { save }),
      sign: (webhookId, body, how) => this.rest.sign(webhookId, body, how),
    });
    this.ledger = new PaymentLedger(this.clock, {
      entryPosted: (payment, entry) => {
        stateChanged();
        this.notify(payment, (merchant) => paymentMessage(payment, entry, merchant));
        this.rest.entryPosted(payment, entry);
      },
      caseOpened: (payment) =>
        this.notify(payment, (merchant) => caseMessage(payment, merchant, this.clock.now())),
    });
    this.checkouts = new Checkouts(this.merchants, this.ledger);
    this.rest = new Rest({
      clock: this.clock,
      merchants: this.merchants,
      ledger: this.ledger,
      queueWebhook: (draft) => this.notifications.queueWebhook(draft),
      changed: stateChanged,
    });
    this.timeline = new Timeline(this.clock, [this.rest.subscriptions, this.notifications], stateChanged);
    if (!snapshot) return;
    this.merchants.restore(snapshot.merchants);
    this.ledger.restore(snapshot.payments);
    if (snapshot.rest) this.rest.restore(snapshot.rest);
    this.notifications.restore(snapshot.notices);
  }

  /** Throws a Refusal if there is a payment or a subscription already. */
  setClock(time: number): void {
    if (this.ledger.all.length > 0 || this.rest.subscriptions.all.length > 0)
      throw new Refusal(
        409,
        'The clock can only be set before the first payment or subscription.',
        'startAt',
      );
    this.clock.setTo(time);
  }

  readPurchase(pairs: Pairs): Purchase {
    return readPurchase(pairs, this.merchants);
  }

  /** PayPal's answer to a postback (`cmd=_notify-validate`) with this body. */
  verdict(body: string): 'VERIFIED' | 'INVALID' {
    return this.notifications.hasSent(body) ? 'VERIFIED' : 'INVALID';
  }

  /** PayPal's answer to `cmd=_notify-synch`, with which a merchant asks for the data of a payment (PDT). */
  pdtAnswer(transactionId: string, token: string): string {
    // `list` also finds a payment by the ids of its refunds and reversals.
    const [payment] = this.ledger
      .list({ transactionId })
      .filter((found) => found.transactionId === transactionId);
    if (!payment) return 'FAIL\nError: 4002\n';
    const merchant = this.merchants.get(payment.purchase.merchantId);
    if (merchant.pdtToken === null || merchant.pdtToken !== token) return 'FAIL\nError: 4003\n';
    const lines = encodeForm(pdtFields(payment, merchant), merchant.charset).replaceAll('&', '\n');
    return `SUCCESS\n${lines}\n`;
  }

  /** See `PayPalSimulator.sendIpn`. */
  sendSyntheticIpn({
    url,
    copyFromId,
    fields = {},
    genuine = true,
    body,
  }: SyntheticIpn): Promise<NotificationRecord> {
    const base = copyFromId
      ? this.notifications.getToCopy('ipn', copyFromId).fields
      : syntheticMessage(newTransactionId(), this.clock.now());
    const changed = withChanges(base, fields);
    const charset = valueOf(changed, 'charset')?.toLowerCase() === 'utf-8' ? 'utf-8' : 'windows-1252';
    const draft = { url, payment: null, fields: changed, charset } as const;
    return this.notifications.sendSyntheticIpn(draft, { genuine, ...(body !== undefined && { body }) });
  }

  /** See `PayPalSimulator.sendWebhook`. */
  async sendSyntheticWebhook(webhook: SyntheticWebhook): Promise<NotificationRecord> {
    await this.rest.certificates.prepare();
    const { url, copyFromId } = webhook;
    const copied =
      copyFromId === undefined ? undefined : this.notifications.getToCopy('webhook', copyFromId).body;
    return this.notifications.sendSyntheticWebhook(url, this.rest.events.synthesize(webhook, copied));
  }

  /** Sends forged webhooks, and returns how often each answer came. Nothing is recorded. */
  async floodWebhooks(
    count: number,
    concurrency: number,
    webhook: SyntheticWebhook,
  ): Promise<Record<string, number>> {
    await this.rest.certificates.prepare();
    const answers: Record<string, number> = {};
    let left = count;
    const sendSome = async () => {
      while (left-- > 0) {
        const { body, headers } = this.rest.events.synthesize({ ...webhook, genuine: false }, undefined);
        const { status, fault } = await this.sender.send(webhook.url, body, headers);
        const answer = String(status ?? fault);
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, sendSome));
    return answers;
  }

  snapshot(): Snapshot {
    return {
      // A clock that was set back shows real time after a restart.
      clockAhead: Math.max(0, this.clock.ahead),
      merchants: this.merchants.all,
      payments: this.ledger.all,
      notices: this.notifications.all,
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
    this.notifications.queueIpn({
      url: notifyUrl,
      payment: payment.transactionId,
      fields: write(merchant),
      charset: merchant.charset,
    });
  }
}

export interface SyntheticIpn {
  url: string;
  copyFromId?: string | undefined;
  fields?: Record<string, string | null> | undefined;
  genuine?: boolean | undefined;
  body?: string | undefined;
}
