import type { LedgerEntryRecord, PaymentRecord } from '../ledger.js';
import type { Merchants } from '../merchants.js';
import type { Buyer, PaymentStanding } from '../model.js';
import { formatAmount } from '../money.js';
import type { Link } from './errors.js';
import type { OrderRecord } from './orders.js';

export const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

export function linksAt(origin: string) {
  const link = (path: string, rel: string, method = 'GET'): Link => ({
    href: `${origin}${path}`,
    rel,
    method,
  });
  const orderPath = (id: string) => `/v2/checkout/orders/${id}`;
  const capturePath = (id: string) => `/v2/payments/captures/${id}`;
  return {
    link,
    approvalUrl: (id: string) => `${origin}/checkoutnow?token=${id}`,
    ofOrder(record: OrderRecord): Link[] {
      const path = orderPath(record.id);
      const self = link(path, 'self');
      if (record.captureId !== null) return [self];
      const change = [link(path, 'update', 'PATCH'), link(`${path}/capture`, 'capture', 'POST')];
      if (record.approval) return [self, ...change];
      const approvalPath = `/checkoutnow?token=${record.id}`;
      if (record.request.namesPayPal) return [self, link(approvalPath, 'payer-action')];
      return [self, link(approvalPath, 'approve'), ...change];
    },
    ofCapture: (id: string, orderId: string | null): Link[] => [
      link(capturePath(id), 'self'),
      link(`${capturePath(id)}/refund`, 'refund', 'POST'),
      ...(orderId === null ? [] : [link(orderPath(orderId), 'up')]),
    ],
    ofRefund: (id: string, captureId: string): Link[] => [
      link(`/v2/payments/refunds/${id}`, 'self'),
      link(capturePath(captureId), 'up'),
    ],
  };
}

type CaptureStatus = 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED';

export const captureStatus: Record<PaymentStanding, CaptureStatus> = {
  Completed: 'COMPLETED',
  Pending: 'PENDING',
  Refunded: 'REFUNDED',
  Partially_Refunded: 'PARTIALLY_REFUNDED',
  // PayPal holds the money of a disputed capture: PENDING with the reason BUYER_COMPLAINT.
  Reversed: 'PENDING',
  Failed: 'DECLINED',
  Denied: 'DECLINED',
  Expired: 'DECLINED',
  Voided: 'DECLINED',
};

/** Orders, captures and refunds, as Orders v2 and Payments v2 describe them. */
export class Resources {
  private readonly links: ReturnType<typeof linksAt>;

  constructor(
    origin: string,
    private readonly merchants: Merchants,
  ) {
    this.links = linksAt(origin);
  }

  approvalUrl(orderId: string): string {
    return this.links.approvalUrl(orderId);
  }

  /** `GET /v2/checkout/orders/{id}`. */
  order(record: OrderRecord, payment: PaymentRecord | undefined): object {
    const { request, createdAt, approval } = record;
    const refunds = payment ? payment.entries.filter(({ status }) => status === 'Refunded') : [];
    const changedAt = payment?.entries.at(-1)!.at ?? approval?.at;
    return {
      ...this.minimalOrder(record),
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: request.referenceId,
          amount: money(request.amount.minor, request.amount.currency),
          payee: this.merchantAccount(record.merchantId),
          ...(request.description !== null && { description: request.description }),
          ...(request.customId !== null && { custom_id: request.customId }),
          ...(request.invoiceId !== null && { invoice_id: request.invoiceId }),
          ...(payment && {
            payments: {
              captures: [this.orderCapture(payment)],
              ...(refunds.length > 0 && { refunds: refunds.map((entry) => this.refund(payment, entry)) }),
            },
          }),
        },
      ],
      ...(approval && { payer: payer(approval.buyer, approval.payerId) }),
      create_time: iso(createdAt),
      ...(changedAt !== undefined && { update_time: iso(changedAt) }),
    };
  }

  /** The answer to a creation without `Prefer: return=representation`. */
  minimalOrder(record: OrderRecord): object {
    const { id, request, approval, captureId } = record;
    const statusBeforeApproval = request.namesPayPal ? 'PAYER_ACTION_REQUIRED' : 'CREATED';
    const status = captureId !== null ? 'COMPLETED' : approval ? 'APPROVED' : statusBeforeApproval;
    const paypal = approval ? wallet(approval.buyer, approval.payerId) : request.namesPayPal ? {} : undefined;
    return { id, status, ...(paypal && { payment_source: { paypal } }), links: this.links.ofOrder(record) };
  }

  /** The answer to a capture without `Prefer: return=representation`. */
  minimalCapturedOrder(record: OrderRecord, payment: PaymentRecord): object {
    const { buyer, payerId } = record.approval!;
    return {
      ...this.minimalOrder(record),
      purchase_units: [
        { reference_id: record.request.referenceId, payments: { captures: [this.orderCapture(payment)] } },
      ],
      payer: payer(buyer, payerId),
    };
  }

  /** `GET /v2/payments/captures/{id}`. */
  capture(payment: PaymentRecord): object {
    const { orderId, transactionId } = payment;
    return {
      ...this.orderCapture(payment),
      ...(orderId !== null && { supplementary_data: { related_ids: { order_id: orderId } } }),
      payee: this.merchantAccount(payment.purchase.merchantId),
      links: this.links.ofCapture(transactionId, orderId),
    };
  }

  /** `GET /v2/payments/refunds/{id}`, also for money that a dispute took back. */
  refund(payment: PaymentRecord, entry: LedgerEntryRecord): object {
    const { purchase, entries, transactionId } = payment;
    const amount = (minor: number) => money(minor, purchase.currency);
    const entriesSoFar = entries.slice(0, entries.indexOf(entry) + 1);
    const total = entriesSoFar
      .filter(({ status }) => status === entry.status)
      .reduce((sum, { gross }) => sum - gross, 0);
    // A dispute that the merchant wins cancels its reversal. Every earlier dispute was won: once one is lost, no other is opened.
    const isOfEarlierDispute = entry.caseId !== undefined && entry.caseId !== payment.caseId;
    const isCancelled = entry.status === 'Reversed' && (payment.dispute === 'won' || isOfEarlierDispute);
    const invoice = entry.invoice ?? purchase.invoice;
    const custom = entry.custom ?? purchase.custom;
    return {
      id: entry.transactionId,
      status: isCancelled ? 'CANCELLED' : 'COMPLETED',
      amount: amount(-entry.gross),
      ...(invoice && { invoice_id: invoice }),
      ...(custom && { custom_id: custom }),
      ...(entry.note && { note_to_payer: entry.note }),
      seller_payable_breakdown: {
        gross_amount: amount(-entry.gross),
        paypal_fee: amount(-(entry.fee ?? 0)),
        net_amount: amount(-entry.gross + (entry.fee ?? 0)),
        total_refunded_amount: amount(total),
      },
      // PayPal's `payer` of a refund is the merchant.
      payer: this.merchantAccount(purchase.merchantId),
      create_time: iso(entry.at),
      update_time: iso(entry.at),
      links: this.links.ofRefund(entry.transactionId, transactionId),
    };
  }

  private orderCapture(payment: PaymentRecord): object {
    const { transactionId, purchase, gross, fee, standing, orderId, entries } = payment;
    const amount = (minor: number) => money(minor, purchase.currency);
    const reason = pendingReasonOf(payment);
    return {
      id: transactionId,
      status: captureStatus[standing],
      ...(reason !== null && { status_details: { reason } }),
      amount: amount(gross),
      final_capture: true,
      seller_protection: { status: 'NOT_ELIGIBLE' },
      ...(fee !== null && {
        seller_receivable_breakdown: {
          gross_amount: amount(gross),
          paypal_fee: amount(fee),
          net_amount: amount(gross - fee),
        },
      }),
      ...(purchase.invoice && { invoice_id: purchase.invoice }),
      ...(purchase.custom && { custom_id: purchase.custom }),
      links: this.links.ofCapture(transactionId, orderId),
      create_time: iso(entries[0]!.at),
      update_time: iso(entries.at(-1)!.at),
    };
  }

  private merchantAccount(merchantId: string): object {
    const { id, email } = this.merchants.get(merchantId);
    return { email_address: email, merchant_id: id };
  }
}

/** Why a capture is PENDING; null if it is not. */
export function pendingReasonOf({ standing, paidWith }: PaymentRecord): string | null {
  if (standing === 'Reversed') return 'BUYER_COMPLAINT';
  if (standing !== 'Pending') return null;
  return paidWith === 'echeck' ? 'ECHECK' : 'PENDING_REVIEW';
}

export const money = (minor: number, currency: string) => ({
  currency_code: currency,
  value: formatAmount(minor, currency),
});

export const nameOf = ({ firstName, lastName }: Buyer) => ({ given_name: firstName, surname: lastName });

export const payer = (buyer: Buyer, payerId: string) => ({
  name: nameOf(buyer),
  email_address: buyer.email,
  payer_id: payerId,
  address: { country_code: buyer.countryCode },
});

const wallet = (buyer: Buyer, accountId: string) => ({
  email_address: buyer.email,
  account_id: accountId,
  account_status: 'VERIFIED',
  name: nameOf(buyer),
  address: { country_code: buyer.countryCode },
});
