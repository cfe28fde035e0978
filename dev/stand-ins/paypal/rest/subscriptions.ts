import { singleItemPurchase } from '../purchase.js';
import type { Clock } from '../clock.js';
import { newApprovalToken, newSubscriptionId } from '../identifiers.js';
import type { LedgerEntryRecord, PaymentLedger, PaymentRecord } from '../ledger.js';
import type { Merchants } from '../merchants.js';
import type { Buyer, FundingSource, PaymentMethod, SubscriptionStatus } from '../model.js';
import { Refusal } from '../refusal.js';
import type { Scheduled } from '../timeline.js';
import { nextBillingTime } from './billing-dates.js';
import type { ApprovalContext, SubscriptionRequest } from './billing-request.js';
import type { Catalog, PlanRecord } from './catalog.js';
import { notFound, unprocessable } from './errors.js';
import type { Money } from './request-fields.js';

/** What the buyer is asked to approve: the subscription itself, or later another plan for it. */
export interface Proposal {
  planId: string;
  /** `ba_token`. */
  token: string;
  context: ApprovalContext | null;
}

/** Times are milliseconds, and amounts minor units of the plan's currency. */
export interface SubscriptionRecord {
  id: string;
  merchantId: string;
  customId: string;
  status: SubscriptionStatus;
  statusNote: string | null;
  statusAt: number;
  planId: string;
  /** Null when there is nothing to approve. */
  proposal: Proposal | null;
  createdAt: number;
  updatedAt: number;
  /** When the first cycle began; all billing times are counted from here. Null before that. */
  startedAt: number | null;
  buyer: Buyer | null;
  payerId: string | null;
  fund: FundingSource;
  /** Includes unpaid cycles. */
  cycles: number;
  nextBillingAt: number | null;
  /** What was billed and is neither paid nor pending. */
  outstanding: number;
  /** Number of failed charges since the last success. */
  failures: number;
  retry: { at: number; minor: number } | null;
  retriesLeft: number;
  lastPayment: { at: number; minor: number } | null;
  lastFailure: { at: number; minor: number; reason: 'PAYER_CANNOT_PAY' | 'PAYMENT_DENIED' } | null;
}

export interface SubscriptionsOptions {
  clock: Clock;
  merchants: Merchants;
  ledger: PaymentLedger;
  catalog: Catalog;
  announce: (event: SubscriptionEvent, record: SubscriptionRecord) => void;
  changed: () => void;
}

export type SubscriptionEvent =
  | 'CREATED'
  | 'ACTIVATED'
  | 'UPDATED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'SUSPENDED'
  | 'PAYMENT.FAILED'
  | 'RE-ACTIVATED';

const maxSubscriptions = 5_000;
const maxRetries = 2;
const retryPauseMs = 5 * 24 * 3_600_000;
const paymentMethods: Record<FundingSource, PaymentMethod> = {
  ok: 'balance',
  declined: 'card',
  echeck: 'echeck',
};

/**
 * PayPal sends no IPN about a charge.
 *
 * PayPal documents the fields of a subscription, but not when they change. Clients should not rely on these choices of the simulator:
 *
 * - A subscription that nobody approves does not expire.
 * - The charge of every cycle after the first is due at 10:00 UTC.
 * - If the charge of a cycle fails, it is tried again up to twice, each time after five days, but not once the next cycle is due: its charge
 *   includes the amount if the plan bills outstanding amounts. A capture that fails is not tried again.
 * - A charge that is refused immediately is listed as a DECLINED transaction.
 * - `cycles_completed` counts the cycles that were billed, paid or not.
 * - Suspending ends the attempts to charge again, and `next_billing_time` remains.
 * - Only an ACTIVE subscription can be revised. After the buyer's approval, `plan_id` is the new one immediately.
 */
export class Subscriptions implements Scheduled {
  private readonly records = new Map<string, SubscriptionRecord>();

  constructor(private readonly options: SubscriptionsOptions) {}

  get all(): SubscriptionRecord[] {
    return [...this.records.values()];
  }

  find(id: string): SubscriptionRecord | undefined {
    return this.records.get(id);
  }

  /** Throws a Refusal. */
  getOfAnyMerchant(id: string): SubscriptionRecord {
    const record = this.records.get(id);
    if (!record) throw new Refusal(404, 'There is no such subscription.');
    return record;
  }

  /** Throws 404 with this `description`. */
  get(id: string, merchantId: string, description?: string): SubscriptionRecord {
    const record = this.records.get(id);
    if (record?.merchantId !== merchantId) throw notFound(description);
    return record;
  }

  findByToken(token: string): SubscriptionRecord | undefined {
    return this.all.find(({ proposal }) => proposal?.token === token);
  }

  planOf({ planId, merchantId }: Pick<SubscriptionRecord, 'planId' | 'merchantId'>): PlanRecord {
    return this.options.catalog.getPlan(planId, merchantId);
  }

  create(merchantId: string, request: SubscriptionRequest): SubscriptionRecord {
    const plan = this.getActivePlan(request.plan_id, merchantId);
    const now = this.options.clock.now();
    const record: SubscriptionRecord = {
      id: newSubscriptionId(),
      merchantId,
      customId: request.custom_id ?? '',
      status: 'APPROVAL_PENDING',
      statusNote: null,
      statusAt: now,
      planId: plan.id,
      proposal: proposalOf(plan, request.application_context),
      createdAt: now,
      updatedAt: now,
      startedAt: null,
      buyer: null,
      payerId: null,
      fund: 'ok',
      cycles: 0,
      nextBillingAt: null,
      outstanding: 0,
      failures: 0,
      retry: null,
      retriesLeft: 0,
      lastPayment: null,
      lastFailure: null,
    };
    this.records.set(record.id, record);
    for (const oldest of this.records.keys()) {
      if (this.records.size <= maxSubscriptions) break;
      this.records.delete(oldest);
    }
    this.announceChange(record, 'CREATED');
    return record;
  }

  /** Returns the address to return to, if there is one. */
  approve(record: SubscriptionRecord, by?: { buyer: Buyer; fund: FundingSource }): string | null {
    const { proposal } = record;
    if (!proposal) throw new Refusal(409, 'There is nothing to approve.');
    if (record.status !== 'APPROVAL_PENDING') {
      Object.assign(record, { proposal: null, planId: proposal.planId });
      this.announceChange(record, 'UPDATED');
    } else if (by) this.recordApproval(record, proposal, by);
    else throw new Refusal(400, 'Choose a payment method.', 'method');
    if (proposal.context === null) return null;
    return withTokens(proposal.context.returnUrl, record, proposal);
  }

  /** The plan applies from the next cycle after the approval. */
  revise(
    record: SubscriptionRecord,
    request: Pick<SubscriptionRequest, 'plan_id' | 'application_context'>,
  ): Proposal {
    requireStatus(record, 'revise', 'ACTIVE');
    const plan = this.getActivePlan(request.plan_id, record.merchantId);
    const current = this.planOf(record);
    if (plan.productId !== current.productId)
      throw unprocessable(
        'PLAN_PRODUCT_NOT_COMPATIBLE',
        'The old and the new plans should be for the same product.',
      );
    if (plan.price.currency !== current.price.currency)
      throw unprocessable(
        'CURRENCY_MISMATCH',
        "The currency code is different from the plan's currency code.",
      );
    record.proposal = proposalOf(plan, request.application_context);
    this.options.changed();
    return record.proposal;
  }

  suspend(record: SubscriptionRecord, reason: string): void {
    requireStatus(record, 'suspend', 'ACTIVE');
    this.setStatus(record, 'SUSPENDED', reason);
  }

  activate(record: SubscriptionRecord, reason: string | null): void {
    if (record.status === 'APPROVED') return this.start(record);
    requireStatus(record, 'activate', 'SUSPENDED');
    const { failureThreshold, frequency } = this.planOf(record);
    if (failureThreshold > 0 && record.failures >= failureThreshold)
      throw unprocessable(
        'SUBSCRIPTION_CANNOT_BE_ACTIVATED',
        'Subscription cannot be activated after payment failure threshold has reached.',
      );
    const now = this.options.clock.now();
    if (record.nextBillingAt! <= now)
      record.nextBillingAt = nextBillingTime(record.startedAt!, frequency, now);
    this.setStatus(record, 'ACTIVE', reason, 'RE-ACTIVATED');
  }

  cancel(record: SubscriptionRecord, reason: string): void {
    requireStatus(record, 'cancel', 'ACTIVE', 'SUSPENDED');
    this.setStatus(record, 'CANCELLED', reason);
  }

  /** Charges the outstanding balance, or a part of it. */
  capture(record: SubscriptionRecord, { currency, minor }: Money): PaymentRecord {
    requireStatus(record, 'capture', 'ACTIVE', 'SUSPENDED', 'EXPIRED');
    if (record.outstanding === 0)
      throw unprocessable(
        'ZERO_OUTSTANDING_BALANCE',
        'Current outstanding balance should be greater than zero.',
      );
    if (currency !== this.planOf(record).price.currency)
      throw unprocessable(
        'CURRENCY_MISMATCH',
        "The currency code is different from the subscription's currency code.",
      );
    if (minor > record.outstanding)
      throw unprocessable(
        'AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE',
        'The capture amount can not be greater than the current outstanding balance.',
      );
    return this.charge(record, 0, minor, true);
  }

  setFundingSource(record: SubscriptionRecord, fund: FundingSource): void {
    record.fund = fund;
    this.options.changed();
  }

  /**
   * Called for each ledger entry of a charge. The subscription changes only when the charge succeeds or fails, immediately or when its e-check is
   * settled.
   */
  entryPosted(payment: PaymentRecord, { status, at }: LedgerEntryRecord): void {
    const record = this.records.get(payment.subscriptionId!);
    if (!record) return;
    if (status === 'Completed') {
      Object.assign(record, { failures: 0, retriesLeft: 0, lastPayment: { at, minor: payment.gross } });
      if (record.outstanding === 0) record.retry = null;
    } else if (['Denied', 'Failed', 'Expired', 'Voided'].includes(status))
      this.recordFailure(record, payment, at);
  }

  get nextAt(): number {
    return Math.min(...this.all.map(dueAt));
  }

  runDue(): void {
    const { clock } = this.options;
    while (this.nextAt <= clock.now()) {
      const due = this.all.filter((record) => dueAt(record) <= clock.now());
      for (const record of due.sort((one, other) => dueAt(one) - dueAt(other))) this.runDueStep(record);
    }
  }

  /** Never waits, because `runDue` finishes everything that is due. */
  waitUntilIdle = () => Promise.resolve();

  restore(records: SubscriptionRecord[]): void {
    for (const record of records) this.records.set(record.id, record);
  }

  private recordApproval(
    record: SubscriptionRecord,
    { context }: Proposal,
    by: { buyer: Buyer; fund: FundingSource },
  ): void {
    Object.assign(record, {
      ...by,
      proposal: null,
      payerId: this.options.ledger.findOrCreatePayerId(by.buyer),
    });
    if (!context?.needsActivation) return this.start(record);
    Object.assign(record, { status: 'APPROVED', statusAt: this.options.clock.now() });
    this.options.changed();
  }

  private start(record: SubscriptionRecord): void {
    const now = this.options.clock.now();
    Object.assign(record, { startedAt: now, nextBillingAt: now });
    this.setStatus(record, 'ACTIVE', null, 'ACTIVATED');
    this.runDueStep(record);
  }

  /** Does what is due: the retry, the charge of the next cycle, or, after the last cycle, the end. */
  private runDueStep(record: SubscriptionRecord): void {
    const { retry, nextBillingAt } = record;
    record.retry = null;
    if (retry && retry.at < nextBillingAt!) {
      record.retriesLeft--;
      // Nothing is outstanding while a capture of the whole balance is pending.
      if (record.outstanding > 0) this.charge(record, 0, Math.min(retry.minor, record.outstanding));
      return;
    }
    const { price, frequency, totalCycles, billsOutstanding } = this.planOf(record);
    if (totalCycles > 0 && record.cycles >= totalCycles) return this.setStatus(record, 'EXPIRED', null);
    record.nextBillingAt = nextBillingTime(record.startedAt!, frequency, nextBillingAt!);
    record.cycles++;
    record.retriesLeft = maxRetries;
    this.charge(record, price.minor, billsOutstanding ? record.outstanding : 0);
  }

  /** Charges a new amount and an amount from the outstanding balance; either may be 0. */
  private charge(
    record: SubscriptionRecord,
    added: number,
    outstanding: number,
    isRequested = false,
  ): PaymentRecord {
    const { merchants, ledger, changed } = this.options;
    const plan = this.planOf(record);
    record.outstanding -= outstanding;
    const payment = ledger.pay(
      singleItemPurchase({
        merchantId: record.merchantId,
        business: merchants.get(record.merchantId).email,
        itemName: plan.name,
        currency: plan.price.currency,
        custom: record.customId,
      }),
      added + outstanding,
      paymentMethods[record.fund],
      record.buyer!,
      { subscriptionId: record.id, isRequested, isDenied: record.fund === 'declined' },
    );
    changed();
    return payment;
  }

  private recordFailure(record: SubscriptionRecord, payment: PaymentRecord, at: number): void {
    const { gross: minor, entries, isRequested } = payment;
    // A single entry: the charge was refused immediately. Otherwise, its e-check failed later.
    const reason = entries.length === 1 ? 'PAYER_CANNOT_PAY' : 'PAYMENT_DENIED';
    record.outstanding += minor;
    record.failures++;
    record.lastFailure = { at, minor, reason };
    const retryAt = at + retryPauseMs;
    if (
      record.status === 'ACTIVE' &&
      record.retriesLeft > 0 &&
      !isRequested &&
      retryAt < record.nextBillingAt!
    )
      record.retry ??= { at: retryAt, minor };
    this.announceChange(record, 'PAYMENT.FAILED');
    const { failureThreshold } = this.planOf(record);
    if (record.status === 'ACTIVE' && failureThreshold > 0 && record.failures >= failureThreshold)
      this.setStatus(record, 'SUSPENDED', 'The payment failure threshold has been reached.');
  }

  private setStatus(
    record: SubscriptionRecord,
    status: 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED',
    statusNote: string | null,
    event: SubscriptionEvent = status === 'ACTIVE' ? 'ACTIVATED' : status,
  ): void {
    Object.assign(record, { status, statusNote, statusAt: this.options.clock.now() });
    if (status !== 'ACTIVE') Object.assign(record, { retry: null, retriesLeft: 0 });
    if (status === 'CANCELLED' || status === 'EXPIRED')
      Object.assign(record, { nextBillingAt: null, proposal: null });
    this.announceChange(record, event);
  }

  private announceChange(record: SubscriptionRecord, event: SubscriptionEvent): void {
    record.updatedAt = this.options.clock.now();
    this.options.changed();
    this.options.announce(event, record);
  }

  private getActivePlan(id: string, merchantId: string): PlanRecord {
    const plan = this.options.catalog.getPlan(id, merchantId);
    if (plan.status !== 'ACTIVE')
      throw unprocessable(
        'PLAN_STATUS_INVALID',
        'Invalid plan status for subscription creation; plan status should be active.',
      );
    return plan;
  }
}

/** The time of the next charge, retry or end; Infinity unless the subscription is active. A capture does not wait for this time. */
function dueAt({ status, nextBillingAt, retry }: SubscriptionRecord): number {
  return status === 'ACTIVE' ? Math.min(nextBillingAt!, retry?.at ?? Infinity) : Infinity;
}

const proposalOf = (plan: PlanRecord, context: ApprovalContext | undefined): Proposal => ({
  planId: plan.id,
  token: newApprovalToken(),
  context: context ?? null,
});

function requireStatus(record: SubscriptionRecord, action: string, ...allowed: SubscriptionStatus[]): void {
  if (allowed.includes(record.status)) return;
  const wanted = allowed.join(' or ').toLowerCase();
  throw unprocessable(
    'SUBSCRIPTION_STATUS_INVALID',
    `Invalid subscription status for ${action} action; subscription status should be ${wanted}.`,
  );
}

/** PayPal adds these parameters to an address of the shop. */
export function withTokens(address: string, { id }: SubscriptionRecord, { token }: Proposal): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries({ subscription_id: id, ba_token: token, token }))
    url.searchParams.set(name, value);
  return url.href;
}
