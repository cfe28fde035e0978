import { randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '../clock.js';
import { newEventId, newTransactionId } from '../identifiers.js';
import type { LedgerEntryRecord, PaymentRecord } from '../ledger.js';
import type { SyntheticWebhook, NotificationMisbehaviour } from '../model.js';
import { formatAmount } from '../money.js';
import type { Transmission, WebhookDraft } from '../notifications.js';
import type { Apps, Webhook } from './apps.js';
import type { Certificates } from './certificates.js';
import { hasResourceVersion1, resourceTypeOf } from './event-types.js';
import type { CertificateKind } from './make-certificates.js';
import type { JsonObject } from './request-fields.js';
import { linksAt } from './resources.js';

export interface EventDetails {
  eventType: string;
  summary: string;
  resource: object;
  subject: Subject;
}

/** `merchantId` decides which webhooks get the event. Tests and misbehaviours select events by the other properties. */
export interface Subject {
  merchantId: string;
  invoice?: string;
  custom?: string;
  orderId?: string | null;
  subscriptionId?: string | null;
  payment?: PaymentRecord | undefined;
}

/** Undefined if PayPal sends no event for this ledger entry. */
export function eventTypeOf(payment: PaymentRecord, entry: LedgerEntryRecord): string | undefined {
  const isNew = payment.entries.length === 1;
  if (payment.subscriptionId === null) return captureEventTypeOf(entry, isNew);
  // A charge that is refused immediately is not a sale; the subscription's own event reports it.
  if (entry.status === 'Denied' && isNew) return undefined;
  // PayPal has no `PAYMENT.SALE.DECLINED`.
  return captureEventTypeOf(entry, false)?.replace('CAPTURE', 'SALE').replace('DECLINED', 'DENIED');
}

function captureEventTypeOf({ status }: LedgerEntryRecord, isNew: boolean): string | undefined {
  switch (status) {
    case 'Completed':
      return 'PAYMENT.CAPTURE.COMPLETED';
    case 'Pending':
      return 'PAYMENT.CAPTURE.PENDING';
    case 'Denied':
      return isNew ? 'PAYMENT.CAPTURE.DECLINED' : 'PAYMENT.CAPTURE.DENIED';
    case 'Failed':
    case 'Expired':
    case 'Voided':
      return 'PAYMENT.CAPTURE.DECLINED';
    case 'Refunded':
      return 'PAYMENT.CAPTURE.REFUNDED';
    case 'Reversed':
      return 'PAYMENT.CAPTURE.REVERSED';
    case 'Canceled_Reversal':
      return undefined;
  }
}

/** As PayPal writes it, such as `Payment completed for $ 49.00 USD`. Here, the sign is `$` for every currency. */
export function summaryOf(eventType: string, { purchase }: PaymentRecord, entry: LedgerEntryRecord): string {
  const amount = `$ ${formatAmount(Math.abs(entry.gross), purchase.currency)} ${purchase.currency}`;
  const [, kind, what] = eventType.toLowerCase().split('.');
  return what === 'completed' || what === 'pending'
    ? `Payment ${what} for ${amount}`
    : `A ${amount} ${kind} payment was ${what}`;
}

export class WebhookEvents {
  constructor(
    private readonly clock: Clock,
    private readonly apps: Apps,
    private readonly certificates: Certificates,
    private readonly origin: () => string,
    private readonly queueWebhook: (draft: WebhookDraft) => void,
  ) {}

  /** Sends the event to those webhooks of the merchant that are subscribed to the event's type. */
  announce(details: EventDetails): void {
    this.send(this.apps.subscribedWebhooks(details.subject.merchantId, details.eventType), details);
  }

  send(webhooks: Pick<Webhook, 'id' | 'url'>[], details: EventDetails): object {
    const { eventType, subject } = details;
    const eventId = newEventId();
    const event = this.buildEvent(eventId, details);
    for (const { id, url } of webhooks) {
      this.queueWebhook({
        url,
        webhookId: id,
        eventId,
        eventType,
        payment: subject.payment?.transactionId ?? null,
        fields: fieldsOf(details),
        body: JSON.stringify(event),
      });
    }
    return event;
  }

  /** The event as `GET /v1/notifications/webhooks-events/{id}` returns it, and as it is sent. */
  buildEvent(id: string, { eventType, summary, resource }: EventDetails): object {
    const { link } = linksAt(this.origin());
    const path = `/v1/notifications/webhooks-events/${id}`;
    return {
      id,
      event_version: '1.0',
      create_time: new Date(this.clock.now()).toISOString(),
      resource_type: resourceTypeOf(eventType),
      ...(!hasResourceVersion1(eventType) && { resource_version: '2.0' }),
      event_type: eventType,
      summary,
      resource,
      links: [link(path, 'self'), link(`${path}/resend`, 'resend', 'POST')],
    };
  }

  /** Makes a webhook for tests. Its event is based on `copied`, the body of another webhook, or else on `syntheticEvent`. */
  synthesize(
    {
      webhookId = 'WEBHOOK_ID',
      event,
      body,
      genuine = true,
      certificate,
      agedMs,
      headers = {},
    }: SyntheticWebhook,
    copied: string | undefined,
  ): Transmission & { webhookId: string; eventId: string; eventType: string } {
    const base = copied === undefined ? syntheticEvent(this.clock.now()) : (JSON.parse(copied) as object);
    const written = { ...base, ...event } as { id?: unknown; event_type?: unknown };
    const text = body ?? JSON.stringify(written);
    const signed = this.sign(webhookId, text, {
      ...(certificate && { certificate }),
      ...(agedMs !== undefined && { agedMs }),
    });
    const sent = new Map(Object.entries(signed.headers));
    if (!genuine) sent.set('paypal-transmission-sig', randomBytes(256).toString('base64'));
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    return {
      body: text,
      headers: Object.fromEntries(sent),
      genuine: genuine && signed.genuine && Object.keys(headers).length === 0,
      webhookId,
      eventId: String(written.id),
      eventType: String(written.event_type),
    };
  }

  /** `transmission` has the fields of `verify-webhook-signature`. The certificate that it names must be the genuine one. */
  verify(transmission: JsonObject): boolean {
    const text = (name: string) => String(transmission[name]);
    const body = JSON.stringify(transmission.webhook_event ?? null);
    const signed = signedText(text('transmission_id'), text('transmission_time'), text('webhook_id'), body);
    return this.certificates.verify(signed, text('transmission_sig'), text('cert_url').split('/').at(-1)!);
  }

  /** Signs a webhook that is sent now, with the faults of the misbehaviour. */
  sign(
    webhookId: string,
    body: string,
    { certificate, spoil, agedMs = 0 }: NotificationMisbehaviour,
  ): Transmission {
    const kind: CertificateKind = certificate ?? 'genuine';
    const transmissionId = randomUUID();
    const time = `${new Date(this.clock.now() - agedMs).toISOString().slice(0, 19)}Z`;
    const signed = signedText(transmissionId, time, webhookId, body);
    const { signature, certificateId } = this.certificates.sign(signed, kind);
    return {
      body: spoil === 'body' ? `${body.slice(0, -1)} }` : body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'PayPal/AUHD-214.0-58417034',
        'paypal-transmission-id': transmissionId,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': spoil === 'signature' ? spoiled(signature) : signature,
        'paypal-cert-url': `${this.origin()}/v1/notifications/certs/${certificateId}`,
        'paypal-auth-algo': 'SHA256withRSA',
      },
      genuine: certificate === undefined && spoil === undefined,
    };
  }
}

/** The event of a capture that never happened. */
const syntheticEvent = (now: number) => ({
  id: newEventId(),
  event_version: '1.0',
  create_time: new Date(now).toISOString(),
  resource_type: 'capture',
  resource_version: '2.0',
  event_type: 'PAYMENT.CAPTURE.COMPLETED',
  summary: 'Payment completed for $ 1.00 USD',
  resource: {
    id: newTransactionId(),
    status: 'COMPLETED',
    amount: { currency_code: 'USD', value: '1.00' },
    final_capture: true,
  },
});

const signedText = (transmissionId: string, time: string, webhookId: string, body: string) =>
  [transmissionId, time, webhookId, crc32(body)].join('|');

/** A wrong signature of the same length. */
const spoiled = (signature: string) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);

/** The fields by which tests and misbehaviours select this event. */
function fieldsOf({ subject }: EventDetails): [string, string][] {
  const { invoice = '', custom = '', orderId, subscriptionId, payment } = subject;
  const fields: [string, string | null | undefined][] = [
    ['invoice', invoice],
    ['custom', custom],
    ['order_id', orderId],
    ['subscription_id', subscriptionId],
    ['txn_id', payment?.transactionId],
  ];
  return fields.filter((field): field is [string, string] => typeof field[1] === 'string');
}
