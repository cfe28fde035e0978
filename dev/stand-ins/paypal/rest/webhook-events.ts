import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '../clock.js';
import { newEventId } from '../identifiers.js';
import type { Booking, PaymentRecord } from '../ledger.js';
import type { Misbehaviour } from '../model.js';
import { formatAmount } from '../money.js';
import type { Transmission, WebhookDraft } from '../notices.js';
import type { Apps } from './apps.js';
import type { Certificates } from './certificates.js';
import type { CertificateKind } from './make-certificates.js';
import { linksAt } from './resources.js';

/** What happened, before it is written for each webhook. */
export interface Happening {
  eventType: string;
  resourceType: 'checkout-order' | 'capture' | 'refund' | 'dispute';
  summary: string;
  resource: object;
  merchantId: string;
  /** For rules of misbehaviour, and for the console. */
  about: { invoice: string; custom: string; orderId: string | null; payment: PaymentRecord | null };
}

/** The event that a booking of a captured payment makes; undefined if PayPal has none. */
export function eventTypeOf({ status }: Booking, isNew: boolean): string | undefined {
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

/** `Payment completed for $ 49.00 USD`, as PayPal sums up its events. */
export function summaryOf(eventType: string, { purchase, gross }: PaymentRecord, entry: Booking): string {
  const amount = `$ ${formatAmount(Math.abs(entry.gross || gross), purchase.currency)} ${purchase.currency}`;
  switch (eventType) {
    case 'PAYMENT.CAPTURE.COMPLETED':
      return `Payment completed for ${amount}`;
    case 'PAYMENT.CAPTURE.PENDING':
      return `Payment pending for ${amount}`;
    case 'PAYMENT.CAPTURE.REFUNDED':
      return `A ${amount} capture payment was refunded`;
    case 'PAYMENT.CAPTURE.REVERSED':
      return `A ${amount} capture payment was reversed`;
    default:
      return `A ${amount} capture payment was declined`;
  }
}

/** Writes webhook events and signs their transmissions. */
export class WebhookEvents {
  constructor(
    private readonly clock: Clock,
    private readonly apps: Apps,
    private readonly certificates: Certificates,
    private readonly origin: () => string,
    private readonly post: (draft: WebhookDraft) => void,
  ) {}

  /** Makes an event for each webhook of the merchant that is subscribed to its type. */
  announce(happening: Happening): void {
    const { merchantId, eventType, about } = happening;
    for (const { id, url } of this.apps.subscribed(merchantId, eventType)) {
      const eventId = newEventId();
      this.post({
        url,
        webhookId: id,
        eventId,
        eventType,
        payment: about.payment?.transactionId ?? null,
        fields: fieldsOf(happening),
        body: JSON.stringify(this.event(eventId, happening)),
      });
    }
  }

  /** The event as `GET /v1/notifications/webhooks-events/{id}` answers it, and as it is sent. */
  event(id: string, { eventType, resourceType, summary, resource }: Happening): object {
    const { link } = linksAt(this.origin());
    const path = `/v1/notifications/webhooks-events/${id}`;
    return {
      id,
      event_version: '1.0',
      create_time: new Date(this.clock.now()).toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: eventType,
      summary,
      resource,
      links: [link(path, 'self'), link(`${path}/resend`, 'resend', 'POST')],
    };
  }

  /** The headers of a transmission that begins now, unless a fault is wanted. */
  sign(webhookId: string, body: string, { certificate, spoil, agedMs = 0 }: Misbehaviour): Transmission {
    const kind: CertificateKind = certificate ?? 'genuine';
    const transmissionId = randomUUID();
    const time = `${new Date(this.clock.now() - agedMs).toISOString().slice(0, 19)}Z`;
    const signed = [transmissionId, time, webhookId, crc32(body)].join('|');
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

/** Another signature of the same length. */
const spoiled = (signature: string) => (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);

function fieldsOf({ eventType, about }: Happening): [string, string][] {
  const { invoice, custom, orderId, payment } = about;
  return [
    ['event_type', eventType],
    ['invoice', invoice],
    ['custom', custom],
    ...(orderId === null ? [] : ([['order_id', orderId]] as [string, string][])),
    ...(payment === null ? [] : ([['txn_id', payment.transactionId]] as [string, string][])),
  ];
}
