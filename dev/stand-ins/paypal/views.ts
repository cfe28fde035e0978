import type { PaymentRecord } from './ledger.js';
import type { Merchants } from './merchants.js';
import type { IpnMessage, Payment, WebhookMessage } from './model.js';
import { formatAmount } from './money.js';
import type { NotificationRecord } from './notifications.js';

const iso = (time: number) => new Date(time).toISOString();

export function paymentView(record: PaymentRecord, merchants: Merchants): Payment {
  const { purchase, entries, ...rest } = record;
  const { id, email } = merchants.get(purchase.merchantId);
  const amount = (minor: number) => formatAmount(minor, purchase.currency);
  return {
    transactionId: rest.transactionId,
    merchant: { id, email },
    business: purchase.business,
    gross: amount(rest.gross),
    currency: purchase.currency,
    fee: rest.fee === null ? null : amount(rest.fee),
    refunded: amount(rest.refunded),
    standing: rest.standing,
    dispute: rest.dispute,
    paidWith: rest.paidWith,
    buyer: rest.buyer,
    invoice: purchase.invoice,
    custom: purchase.custom,
    itemName: purchase.itemName,
    itemNumber: purchase.itemNumber,
    quantity: purchase.quantity,
    notifyUrl: purchase.notifyUrl,
    orderId: rest.orderId,
    subscriptionId: rest.subscriptionId,
    entries: entries.map(({ invoice: _invoice, custom: _custom, caseId: _caseId, ...entry }) => ({
      ...entry,
      gross: amount(entry.gross),
      fee: entry.fee === null ? null : amount(entry.fee),
      at: iso(entry.at),
    })),
  };
}

export function ipnView({ written, ...notification }: NotificationRecord): IpnMessage {
  const { webhook: _webhook, ...rest } = notification;
  return { ...rest, genuine: rest.body === written, ...isoTimes(notification) };
}

export function webhookView(notification: NotificationRecord): WebhookMessage {
  const { id, url, about, payment, body, state, webhook } = notification;
  return { id, url, eventType: about, payment, body, state, ...webhook!, ...isoTimes(notification) };
}

const isoTimes = ({
  createdAt,
  nextAt,
  deliveries,
}: Pick<NotificationRecord, 'createdAt' | 'nextAt' | 'deliveries'>) => ({
  createdAt: iso(createdAt),
  nextAt: nextAt === null ? null : iso(nextAt),
  deliveries: deliveries.map((delivery) => ({ ...delivery, at: iso(delivery.at) })),
});
