import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { transaction, uuidv7 } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, addSeconds } from '#libs/runtime';
import { DeletedAccountRepository } from '../order/deleted-account.repository.js';
import type { OrderEntity } from '../order/order.entity.js';
import { OrderRepository } from '../order/order.repository.js';
import type { PaymentAttemptEntity } from '../payment/attempt/payment-attempt.entity.js';
import { PaymentInquiryService } from '../payment/attempt/payment-inquiry.service.js';
import type { Decision } from '../payment/notification/payment-notification.processor.js';
import { BillingClock } from '../payment/billing-clock.js';
import { ignoreRefusal, isProvidersFault, RefusedByProvider } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type {
  ProviderCharge,
  ProviderSubscription,
  SubscriptionProvider,
} from '../payment/subscription-provider.js';
import { splitGross, totalCents } from '../money/tax.js';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import { ChargeService } from './charge.service.js';
import { nextInquiryAt } from './inquiry-schedule.js';
import { SubscriptionChangeService } from './subscription-change.service.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSettings } from './subscription-settings.js';
import { afterReading, factsOf } from './subscription-state.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** How far back charges are read again, because a provider may list them late. */
const overlapDays = 35;
/** A margin: lists of charges end this long after now, and those of a plan that is not stored begin this long before its start. */
const marginSeconds = 86_400;
/** How many times an inquiry reads a subscription that keeps changing meanwhile. */
const maxReads = 3;

interface SubscriptionReading {
  atProvider: ProviderSubscription;
  charges: ProviderCharge[];
  now: Date;
}

/** Inquiries come from a customer's return, a notification, a user action and the schedule, in any order and possibly concurrently. */
@Injectable()
export class SubscriptionInquiryService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changes: SubscriptionChangeService,
    private readonly charges: ChargeService,
    private readonly orders: OrderRepository,
    private readonly deletedAccounts: DeletedAccountRepository,
    private readonly payments: PaymentInquiryService,
    private readonly providers: PaymentProviders,
    private readonly billing: BillingClock,
    private readonly clock: Clock,
    @Inject(SUBSCRIPTION_SETTINGS) private readonly settings: SubscriptionSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.payments.onSubscriptionInquiry((attempt, traceparent) => this.inquireAbout(attempt, traceparent));
  }

  /** Throws NoAnswerYet and RefusedByProvider. */
  async inquire(id: string, traceparent?: string): Promise<void> {
    await this.syncBillingClock(this.providers.forPlans?.name);
    try {
      await this.readAndRecord(id, traceparent);
    } catch (error) {
      if (!isProvidersFault(error)) throw error;
      // A stop or a cancellation must reach the provider even if reading failed.
      const subscription = await this.get(id);
      try {
        if (subscription.desiredStatus !== 'charging')
          await this.applyDesiredStatus(subscription, traceparent);
      } finally {
        // Admins see the refusal even if the request for the desired status fails, too.
        if (error instanceof RefusedByProvider) await this.storeProblem(id, error.message);
      }
      throw error;
    }
    const current = await this.applyDesiredStatus(await this.get(id), traceparent);
    const { graceMs } = this.settings;
    const inquireAt = nextInquiryAt(current, this.billing.now(), graceMs);
    await this.subscriptions.scheduleInquiry(
      this.dataSource.manager,
      { id, version: current.version },
      inquireAt,
    );
  }

  private async readAndRecord(id: string, traceparent?: string): Promise<void> {
    for (let reads = 1; reads <= maxReads; reads += 1) {
      const subscription = await this.get(id);
      if (await this.record(subscription, await this.readSubscriptionAndCharges(subscription), traceparent))
        return;
    }
    throw new NoAnswerYet('the subscription changed while it was being read');
  }

  private storeProblem(id: string, problem: string): Promise<void> {
    return transaction(this.dataSource, async (tx) => {
      await this.subscriptions.update(tx, (await this.subscriptions.lock(tx, id))!, { problem });
    });
  }

  /** A simulator's clock may have been moved. */
  async syncBillingClock(provider: string | undefined): Promise<void> {
    if (provider === undefined) return;
    const { simulatedClock } = this.providers.get(provider);
    if (simulatedClock) this.billing.aheadMs = await simulatedClock.readAheadMs();
  }

  /** We store the subscription once the customer has approved it at the provider. */
  private async inquireAbout(attempt: PaymentAttemptEntity, traceparent?: string): Promise<void> {
    const { provider, checkoutReference: reference } = attempt;
    if (reference === null) return;
    const existing = await this.subscriptions.findByReference(provider, reference);
    const id = existing ? existing.id : await this.storeOrCancelDuplicate(attempt, reference);
    if (id !== null) await this.inquire(id, traceparent);
  }

  /**
   * Stores an attempt's subscription and returns its id. Null if the subscription has not begun, or is a duplicate, which is cancelled: the order
   * has another subscription, or a received or pending payment for one month.
   */
  private async storeOrCancelDuplicate(
    attempt: PaymentAttemptEntity,
    reference: string,
  ): Promise<string | null> {
    const api = this.apiOf(attempt.provider);
    const atProvider = await api.read(reference);
    if (!atProvider || atProvider.status === 'unapproved') return null;
    await this.syncBillingClock(attempt.provider);
    const startedAt = atProvider.startedAt ?? this.billing.now();
    // A subscription that was cancelled without a charge never began.
    if (atProvider.status === 'cancelled' && !(await this.hasCharge(api, reference, startedAt))) return null;
    const id = await transaction(this.dataSource, async (tx) => {
      const order = (await this.orders.lock(tx, attempt.orderId))!;
      if (order.subscriptionId !== null) return order.subscriptionId;
      if (hasPaymentForOneMonth(order)) return null;
      const isAccountDeleted = await this.deletedAccounts.has(tx, order.accountId);
      const now = this.clock.now();
      const subscription = Object.assign(
        newSubscription(order, attempt, { reference, startedAt, isAccountDeleted }),
        {
          ...{ createdAt: now, updatedAt: now, inquireAt: this.billing.now() },
        },
      );
      await this.subscriptions.insert(tx, subscription);
      await this.subscriptions.appendToTimeline(tx, subscription.id, this.billing.now(), [
        { text: 'The customer approved the monthly plan at the payment provider.' },
      ]);
      await this.orders.update(tx, order, {
        subscriptionId: subscription.id,
        // `cycle` is null if the customer has also begun a payment for one month only, without a plan.
        cycle: 1,
      });
      return subscription.id;
    });
    // `inquire` locks the subscription before its orders. To avoid deadlocks, it is called after this transaction, which locks the order.
    if (id !== null && (await this.get(id)).reference === reference) return id;
    if (atProvider.status !== 'cancelled') await this.cancelDuplicate(attempt, reference);
    if (id !== null) await this.inquireAboutFirstCharge(id);
    await this.recordDuplicateCharges(attempt, reference, startedAt);
    return null;
  }

  /** Throws NoAnswerYet if the plan still awaits its first charge. */
  private async inquireAboutFirstCharge(id: string): Promise<void> {
    await this.inquire(id);
    // The first charge of the plan that we keep must pay the order. If the duplicate's charge were recorded before, that first charge would get a new
    // order. Once the plan that we keep is suspended, paused or ended, its first charge may never come, so nothing waits for it any longer.
    const { state, cycles } = await this.get(id);
    if (cycles === 0 && (state === 'pending' || state === 'past_due'))
      throw new NoAnswerYet('the plan that is kept has not been charged yet');
  }

  private listCharges(api: SubscriptionProvider, reference: string, from: Date): Promise<ProviderCharge[]> {
    return api.listCharges(reference, from, addSeconds(this.billing.now(), marginSeconds));
  }

  private async hasCharge(api: SubscriptionProvider, reference: string, startedAt: Date): Promise<boolean> {
    const charges = await this.listCharges(api, reference, addSeconds(startedAt, -marginSeconds));
    return charges.some(({ state }) => state !== 'failed');
  }

  private async cancelDuplicate(
    { provider, orderId }: PaymentAttemptEntity,
    reference: string,
  ): Promise<void> {
    this.logger.warn(
      { orderId, reference },
      'The customer approved a plan for an order that already has a plan or a payment; cancelling the new plan',
    );
    await this.apiOf(provider)
      .cancel(reference, 'The order already has a plan or a payment.')
      .catch(ignoreRefusal);
  }

  /** Records the duplicate's charges on the order. If the order is paid already, they are second payments. */
  private async recordDuplicateCharges(
    attempt: PaymentAttemptEntity,
    reference: string,
    startedAt: Date,
  ): Promise<void> {
    const { provider } = attempt;
    const from = addSeconds(startedAt, -marginSeconds);
    const charges = await this.listCharges(this.apiOf(provider), reference, from);
    const newCharges = await this.charges.listNewCharges(provider, charges);
    await this.charges.recordDuplicateCharges(attempt, newCharges);
  }

  /** The provider's prices include added tax; the returned price does not. */
  private async readAtProvider({
    provider,
    reference,
    addedTaxRate,
  }: SubscriptionEntity): Promise<ProviderSubscription | null> {
    const atProvider = await this.apiOf(provider).read(reference);
    if (!atProvider?.terms) return atProvider;
    const { netCents: priceCents } = splitGross(atProvider.terms.priceCents, addedTaxRate);
    return { ...atProvider, terms: { ...atProvider.terms, priceCents } };
  }

  private async readSubscriptionAndCharges(subscription: SubscriptionEntity): Promise<SubscriptionReading> {
    const { provider, reference, readUntil, startedAt } = subscription;
    const api = this.apiOf(provider);
    const atProvider = await this.readAtProvider(subscription);
    if (!atProvider) throw new RefusedByProvider('the provider does not know the subscription');
    const now = this.billing.now();
    const from = addSeconds(readUntil ?? startedAt, -overlapDays * 86_400);
    const charges = await this.listCharges(api, reference, from);
    return { atProvider, charges, now };
  }

  /** False if something else has changed the subscription since it was read. */
  private async record(
    { id, version, provider }: SubscriptionEntity,
    { atProvider, charges, now }: SubscriptionReading,
    traceparent?: string,
  ): Promise<boolean> {
    await this.charges.inquireAboutChanged(provider, charges);
    const newCharges = await this.charges.listNewCharges(provider, charges);
    const decisions = await transaction(this.dataSource, async (tx) => {
      const subscription = (await this.subscriptions.lock(tx, id))!;
      if (subscription.version !== version) return null;
      const before = factsOf(subscription);
      const newPriceChargedAt = firstChargedAtNewPrice(atProvider.terms, newCharges, subscription);
      // The charges are recorded with any change of package or price that the customer has approved, because it may apply to them already. They are
      // recorded with the former desired status, because they were made before any cancellation that is found now.
      const factsAsRead = afterReading(before, atProvider, {
        receivedCharges: before.cycles,
        now,
        newPriceChargedAt,
      });
      const subscriptionAsRead = { ...subscription, ...factsAsRead, desiredStatus: before.desiredStatus };
      const made: (Decision | undefined)[] = [];
      for (const newCharge of newCharges)
        made.push(await this.charges.record(tx, subscriptionAsRead, newCharge, traceparent));
      const { received, pending } = await this.orders.getChargeSummary(tx, id);
      // The first charge has failed, so the order's payment is no longer shown as being confirmed.
      if (atProvider.isPastDue && received === 0 && pending === 0)
        await this.charges.settleApproval(tx, subscription.firstOrderId);
      const facts = afterReading(before, atProvider, {
        receivedCharges: received,
        now,
        newPriceChargedAt,
      });
      await this.changes.apply(tx, subscription, facts, { isChargePending: pending > 0, traceparent });
      await this.subscriptions.update(tx, subscription, { readUntil: now });
      return made;
    });
    if (decisions === null) return false;
    this.charges.countDecisions(decisions);
    return true;
  }

  /** May be repeated safely: the provider refuses a status that the subscription already has, and the reading afterwards shows that status. */
  private async applyDesiredStatus(
    subscription: SubscriptionEntity,
    traceparent?: string,
  ): Promise<SubscriptionEntity> {
    const { id, provider, reference, desiredStatus, providerStatus, endReason, problem } = subscription;
    const isDone =
      providerStatus === desiredStatus || providerStatus === 'cancelled' || providerStatus === 'unapproved';
    if (isDone && problem === null) return subscription;
    let refusal: string | null = null;
    if (!isDone) {
      const api = this.apiOf(provider);
      const calls = { charging: 'resume', stopped: 'stop', cancelled: 'cancel' } as const;
      try {
        await api[calls[desiredStatus]](reference, reasonFor(desiredStatus, endReason));
      } catch (error) {
        if (!(error instanceof RefusedByProvider)) throw error;
        refusal = error.message;
      }
    }
    // Read again even after a refusal: someone may have changed the status at the provider in the meantime.
    const atProvider = isDone ? null : await this.readAtProvider(subscription);
    return transaction(this.dataSource, async (tx) => {
      const locked = (await this.subscriptions.lock(tx, id))!;
      if (atProvider) await this.recordStatus(tx, locked, atProvider, traceparent);
      const stillDiffers =
        locked.providerStatus !== locked.desiredStatus && locked.providerStatus !== 'cancelled';
      const newProblem = stillDiffers ? refusal : null;
      if (newProblem !== locked.problem) await this.subscriptions.update(tx, locked, { problem: newProblem });
      return locked;
    });
  }

  private async recordStatus(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    atProvider: ProviderSubscription,
    traceparent?: string,
  ): Promise<void> {
    const facts = factsOf(subscription);
    // The status `stopped` counts as the effect of our request, not as a change that somebody made at the provider.
    const expected = { ...facts, providerStatus: atProvider.status };
    const after = afterReading(expected, atProvider, {
      receivedCharges: facts.cycles,
      now: this.billing.now(),
    });
    await this.changes.apply(tx, subscription, after, { traceparent });
  }

  private apiOf(provider: string): SubscriptionProvider {
    const { subscriptions } = this.providers.get(provider);
    if (!subscriptions) throw new RefusedByProvider(`${provider} does not support subscriptions`);
    return subscriptions;
  }

  private async get(id: string): Promise<SubscriptionEntity> {
    const found = await this.subscriptions.find(id);
    if (!found) throw new Error(`There is no subscription ${id}`);
    return found;
  }
}

/** The payment is received or pending. While no provider can charge plans, customers pay for one month instead of a plan. */
function hasPaymentForOneMonth({ cycle, paymentStatus, paymentState }: OrderEntity): boolean {
  return cycle === null && (paymentStatus === 'Paid' || paymentState === 'pending');
}

/** If the order was cancelled or the customer's account was deleted, the first inquiry about the subscription cancels it at the provider. */
function newSubscription(
  order: OrderEntity,
  { provider, environment, receiver }: PaymentAttemptEntity,
  {
    reference,
    startedAt,
    isAccountDeleted,
  }: { reference: string; startedAt: Date; isAccountDeleted: boolean },
): SubscriptionEntity {
  const { accountId, customerName, customerEmail, customerAddress, customerCountry } = order;
  const { packageName, priceCents, addedTaxRate, id: firstOrderId, number: firstOrderNumber } = order;
  const isCancelled = order.paymentStatus === 'Cancelled';
  const endReason = isAccountDeleted ? 'account_deleted' : (order.cancelledBy ?? 'admin');
  return Object.assign(new SubscriptionEntity(), {
    ...{ id: uuidv7(), accountId, customerName, customerEmail, customerAddress, customerCountry },
    ...{
      packageName,
      priceCents,
      addedTaxRate,
      firstOrderId,
      firstOrderNumber,
      provider,
      environment,
      receiver,
    },
    ...{ reference, startedAt },
    ...((isAccountDeleted || isCancelled) && { desiredStatus: 'cancelled' as const, endReason }),
  });
}

function reasonFor(
  desiredStatus: SubscriptionEntity['desiredStatus'],
  endReason: SubscriptionEntity['endReason'],
): string {
  if (desiredStatus === 'charging') return 'The plan was resumed.';
  if (desiredStatus === 'stopped') return 'The plan was stopped.';
  return endReason === 'customer' ? 'The customer cancelled the plan.' : 'The plan has ended.';
}

/** Null if the price is the old one or has not been charged yet. */
function firstChargedAtNewPrice(
  terms: ProviderSubscription['terms'],
  newCharges: readonly { charge: ProviderCharge }[],
  { priceCents, addedTaxRate }: { priceCents: number; addedTaxRate: string },
): Date | null {
  if (terms === null || terms.priceCents === priceCents) return null;
  const charged = totalCents({ ...terms, addedTaxRate });
  return newCharges.find(({ charge }) => charge.amountCents === charged)?.charge.at ?? null;
}
