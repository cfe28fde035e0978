import type { LedgerEntryRecord, PaymentRecord } from '../ledger.js';
import type { PaymentStanding } from '../model.js';
import { formatAmount } from '../money.js';
import type { PlanRecord, ProductRecord } from './catalog.js';
import type { Link } from './errors.js';
import { captureStatus, iso, linksAt, money, nameOf, payer, pendingReasonOf } from './resources.js';
import type { Proposal, SubscriptionRecord } from './subscriptions.js';

const saleState: Record<PaymentStanding, string> = {
  Completed: 'completed',
  Pending: 'pending',
  Refunded: 'refunded',
  Partially_Refunded: 'partially_refunded',
  // PayPal holds the money of a disputed sale.
  Reversed: 'pending',
  Failed: 'denied',
  Denied: 'denied',
  Expired: 'denied',
  Voided: 'denied',
};

/** The answers of the catalog and subscription APIs, and the sales and refunds (payments v1) in the webhooks about charges. */
export class BillingResources {
  private readonly link: ReturnType<typeof linksAt>['link'];

  constructor(origin: string) {
    this.link = linksAt(origin).link;
  }

  product(record: ProductRecord): object {
    const { merchantId: _merchantId, createdAt: _createdAt, ...described } = record;
    return { ...described, ...this.briefProduct(record), update_time: iso(record.createdAt) };
  }

  /** An entry of the list, and the answer to a creation without `Prefer: return=representation`. */
  briefProduct({ id, name, description, createdAt }: ProductRecord): object {
    return {
      id,
      name,
      ...(description !== undefined && { description }),
      create_time: iso(createdAt),
      links: this.selfAndEdit(`/v1/catalogs/products/${id}`),
    };
  }

  plan(record: PlanRecord): object {
    return { ...this.briefPlan(record), ...planTerms(record), update_time: iso(record.updatedAt) };
  }

  /** An entry of the list, or the answer to a creation: both without `Prefer: return=representation`. */
  briefPlan({ id, productId, name, status, description, createdAt }: PlanRecord): object {
    const path = `/v1/billing/plans/${id}`;
    const change = status === 'ACTIVE' ? 'deactivate' : 'activate';
    return {
      id,
      product_id: productId,
      name,
      status,
      ...(description !== undefined && { description }),
      create_time: iso(createdAt),
      links: [...this.selfAndEdit(path), this.link(`${path}/${change}`, change, 'POST')],
    };
  }

  /** `fields` may contain `last_failed_payment` and `plan`, which are optional parts. Its default is for webhook events. */
  subscription(
    record: SubscriptionRecord,
    plan: PlanRecord,
    fields: readonly string[] = ['last_failed_payment'],
  ): object {
    const { id, planId, customId, statusNote, buyer, payerId, startedAt, createdAt } = record;
    return {
      status: record.status,
      ...(statusNote !== null && { status_change_note: statusNote }),
      status_update_time: iso(record.statusAt),
      id,
      plan_id: planId,
      start_time: iso(startedAt ?? createdAt),
      quantity: '1',
      ...(buyer && { subscriber: payer(buyer, payerId!) }),
      ...(startedAt !== null && {
        billing_info: billingInfo(record, plan, fields.includes('last_failed_payment')),
      }),
      create_time: iso(createdAt),
      update_time: iso(record.updatedAt),
      ...(customId && { custom_id: customId }),
      plan_overridden: false,
      ...(fields.includes('plan') && {
        plan: { product_id: plan.productId, name: plan.name, ...planTerms(plan) },
      }),
      links: this.linksOf(record),
    };
  }

  /** The answer to a creation without `Prefer: return=representation`. */
  briefSubscription(record: SubscriptionRecord): object {
    const { id, status, createdAt } = record;
    return { id, status, create_time: iso(createdAt), links: this.linksOf(record) };
  }

  revision(record: SubscriptionRecord, { planId }: Proposal): object {
    return { plan_id: planId, plan_overridden: false, links: this.linksOf(record) };
  }

  /** An entry of a subscription's transactions, and the answer to a capture. */
  transaction(payment: PaymentRecord): object {
    const { transactionId, standing, gross, fee, purchase, buyer, entries } = payment;
    const amount = (minor: number) => money(minor, purchase.currency);
    const reason = pendingReasonOf(payment);
    return {
      status: captureStatus[standing],
      ...(reason && { status_details: { reason } }),
      id: transactionId,
      amount_with_breakdown: {
        gross_amount: amount(gross),
        fee_amount: amount(fee ?? 0),
        net_amount: amount(gross - (fee ?? 0)),
      },
      payer_name: nameOf(buyer),
      payer_email: buyer.email,
      time: iso(entries[0]!.at),
    };
  }

  /** A sale of payments v1, as the webhooks of charges contain it. */
  sale({
    transactionId,
    purchase,
    gross,
    fee,
    standing,
    paidWith,
    entries,
    subscriptionId,
  }: PaymentRecord): object {
    const path = `/v1/payments/sale/${transactionId}`;
    return {
      id: transactionId,
      state: saleState[standing],
      ...(standing === 'Pending' && { reason_code: paidWith.toUpperCase() }),
      amount: {
        total: formatAmount(gross, purchase.currency),
        currency: purchase.currency,
        details: { subtotal: formatAmount(gross, purchase.currency) },
      },
      payment_mode: paidWith === 'echeck' ? 'ECHECK' : 'INSTANT_TRANSFER',
      protection_eligibility: 'INELIGIBLE',
      ...(fee !== null && {
        transaction_fee: { value: formatAmount(fee, purchase.currency), currency: purchase.currency },
      }),
      invoice_number: purchase.invoice,
      ...(purchase.custom && { custom: purchase.custom }),
      billing_agreement_id: subscriptionId,
      create_time: iso(entries[0]!.at),
      update_time: iso(entries.at(-1)!.at),
      links: [this.link(path, 'self'), this.link(`${path}/refund`, 'refund', 'POST')],
    };
  }

  /** A refund of payments v1. PayPal describes a reversal by a dispute as a refund, too. */
  saleRefund({ transactionId: saleId, purchase }: PaymentRecord, entry: LedgerEntryRecord): object {
    const { custom = purchase.custom, invoice = purchase.invoice } = entry;
    return {
      id: entry.transactionId,
      sale_id: saleId,
      state: 'completed',
      amount: { total: formatAmount(-entry.gross, purchase.currency), currency: purchase.currency },
      ...(entry.reasonCode !== null && { reason_code: entry.reasonCode }),
      ...(entry.note !== undefined && { description: entry.note }),
      ...(custom && { custom }),
      invoice_number: invoice,
      create_time: iso(entry.at),
      update_time: iso(entry.at),
      links: [
        this.link(`/v1/payments/refund/${entry.transactionId}`, 'self'),
        this.link(`/v1/payments/sale/${saleId}`, 'sale'),
      ],
    };
  }

  private linksOf({ id, status, proposal }: SubscriptionRecord): Link[] {
    const path = `/v1/billing/subscriptions/${id}`;
    const pathSuffix = status === 'APPROVAL_PENDING' ? '' : '/update';
    const approvalPath = proposal && `/webapps/billing/subscriptions${pathSuffix}?ba_token=${proposal.token}`;
    const actions: Partial<Record<typeof status, string[]>> = {
      APPROVED: ['activate'],
      ACTIVE: ['cancel', 'suspend', 'capture'],
      SUSPENDED: ['cancel', 'activate', 'capture'],
    };
    return [
      ...(approvalPath ? [this.link(approvalPath, 'approve')] : []),
      ...this.selfAndEdit(path),
      ...(actions[status] ?? []).map((action) => this.link(`${path}/${action}`, action, 'POST')),
    ];
  }

  private selfAndEdit = (path: string): Link[] => [this.link(path, 'self'), this.link(path, 'edit', 'PATCH')];
}

function planTerms({ price, frequency, createdAt, updatedAt, ...plan }: PlanRecord): object {
  return {
    billing_cycles: [
      {
        pricing_scheme: {
          version: 1,
          fixed_price: money(price.minor, price.currency),
          create_time: iso(createdAt),
          update_time: iso(updatedAt),
        },
        frequency: { interval_unit: frequency.unit, interval_count: frequency.count },
        tenure_type: 'REGULAR',
        sequence: 1,
        total_cycles: plan.totalCycles,
      },
    ],
    payment_preferences: {
      auto_bill_outstanding: plan.billsOutstanding,
      setup_fee_failure_action: 'CANCEL',
      payment_failure_threshold: plan.failureThreshold,
    },
    quantity_supported: false,
  };
}

function billingInfo(
  record: SubscriptionRecord,
  { price, totalCycles }: PlanRecord,
  showsFailure: boolean,
): object {
  const { outstanding, cycles, lastPayment, lastFailure, nextBillingAt, failures, retry } = record;
  const amount = (minor: number) => money(minor, price.currency);
  const remaining = Math.max(0, totalCycles - cycles);
  return {
    outstanding_balance: amount(outstanding),
    cycle_executions: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        cycles_completed: cycles,
        cycles_remaining: remaining,
        current_pricing_scheme_version: 1,
        total_cycles: totalCycles,
      },
    ],
    ...(lastPayment && { last_payment: { amount: amount(lastPayment.minor), time: iso(lastPayment.at) } }),
    ...(nextBillingAt !== null &&
      (totalCycles === 0 || remaining > 0) && { next_billing_time: iso(nextBillingAt) }),
    failed_payments_count: failures,
    ...(showsFailure &&
      lastFailure && {
        last_failed_payment: {
          amount: amount(lastFailure.minor),
          time: iso(lastFailure.at),
          reason_code: lastFailure.reason,
          ...(retry && { next_payment_retry_time: iso(retry.at) }),
        },
      }),
  };
}
