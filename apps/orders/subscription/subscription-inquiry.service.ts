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
import { BillingClock } from '../payment/billing-clock.js';
import { ignoreRefusal, NoAnswerYet, RefusedByProvider } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type {
  ProviderCharge,
  ProviderSubscription,
  SubscriptionProvider,
} from '../payment/subscription-provider.js';
import { splitGross, totalCents } from '../money/tax.js';
import { ChargeService } from './charge.service.js';
import { nextInquiry } from './inquiry-schedule.js';
import { SubscriptionChangeService } from './subscription-change.service.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSettings } from './subscription-settings.js';
import { afterReading, factsOf } from './subscription-state.js';
import { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** How far back charges are read again, because a provider may list them late. */
const overlapDays = 35;
/** Readings that another process overtook are repeated. */
const attempts = 3;

interface Reading {
  read: ProviderSubscription;
  charges: ProviderCharge[];
  now: Date;
}

/**
 * Asks the provider what has become of a subscription, records its charges, computes its state, and then asks the provider for what is wanted of it.
 * A customer's return, a notification, an action of a person and the schedule all lead here, together or in any order.
 */
@Injectable()
export class SubscriptionInquiryService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changes: SubscriptionChangeService,
    private readonly charges: ChargeService,
    private readonly orders: OrderRepository,
    private readonly accounts: DeletedAccountRepository,
    private readonly payments: PaymentInquiryService,
    private readonly providers: PaymentProviders,
    private readonly billing: BillingClock,
    private readonly clock: Clock,
    @Inject(SUBSCRIPTION_SETTINGS) private readonly settings: SubscriptionSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.payments.onSubscription((attempt, traceparent) => this.inquireOf(attempt, traceparent));
  }

  /** Throws NoAnswerYet and RefusedByProvider. */
  async inquire(id: string, traceparent?: string): Promise<void> {
    await this.setClock(this.providers.renewing?.name);
    try {
      await this.readAndRecord(id, traceparent);
    } catch (error) {
      if (!(error instanceof NoAnswerYet || error instanceof RefusedByProvider)) throw error;
      // A stop or a cancellation must reach the provider even if something else cannot be read.
      const subscription = await this.find(id);
      if (subscription.wanted !== 'charging') await this.follow(subscription, traceparent);
      if (error instanceof RefusedByProvider) await this.noteProblem(id, error.message);
      throw error;
    }
    const followed = await this.follow(await this.find(id), traceparent);
    const { graceMs } = this.settings;
    const inquireAt = nextInquiry(followed, this.billing.now(), graceMs);
    await this.subscriptions.schedule(this.dataSource.manager, { id, version: followed.version }, inquireAt);
  }

  private async readAndRecord(id: string, traceparent?: string): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const subscription = await this.find(id);
      if (await this.record(subscription, await this.readFrom(subscription), traceparent)) return;
    }
    throw new NoAnswerYet('the subscription changed while it was read');
  }

  private noteProblem(id: string, problem: string): Promise<void> {
    return transaction(this.dataSource, async (tx) => {
      await this.subscriptions.update(tx, (await this.subscriptions.find(id, tx))!, { problem });
    });
  }

  /** The simulator's clock may have been moved. */
  async setClock(provider: string | undefined): Promise<void> {
    if (provider === undefined) return;
    const { timeMachine } = this.providers.get(provider);
    if (timeMachine) this.billing.aheadMs = await timeMachine.read();
  }

  /** Follows the subscription that an attempt begins. It exists once the customer has approved it. */
  private async inquireOf(attempt: PaymentAttemptEntity, traceparent?: string): Promise<void> {
    const { provider, checkoutReference: reference } = attempt;
    if (reference === null) return;
    const known = await this.subscriptions.findByReference(provider, reference);
    const id = known ? known.id : await this.begin(attempt, reference);
    if (id !== null) await this.inquire(id, traceparent);
  }

  /** The id of the new subscription; null if there is none, or if the order has another one. */
  private async begin(attempt: PaymentAttemptEntity, reference: string): Promise<string | null> {
    const api = this.apiOf(attempt.provider);
    const read = await api.read(reference);
    if (!read || read.status === 'unapproved') return null;
    await this.setClock(attempt.provider);
    const startedAt = read.startedAt ?? this.billing.now();
    // One that was cancelled without a charge never began.
    if (read.status === 'cancelled' && !(await this.hasCharge(api, reference, startedAt))) return null;
    const id = await transaction(this.dataSource, async (tx) => {
      const order = (await this.orders.lock(tx, attempt.orderId))!;
      if (order.subscriptionId !== null) return order.subscriptionId;
      const isDeleted = await this.accounts.has(tx, order.accountId);
      const now = this.clock.now();
      const subscription = Object.assign(
        newSubscription(order, attempt, { reference, startedAt, isDeleted }),
        {
          ...{ createdAt: now, updatedAt: now, inquireAt: this.billing.now() },
        },
      );
      await this.subscriptions.insert(tx, subscription);
      await this.subscriptions.append(tx, subscription.id, this.billing.now(), [
        { text: 'The customer approved the monthly plan at the payment provider.' },
      ]);
      await this.orders.update(tx, order, {
        subscriptionId: subscription.id,
        version: order.version + 1,
        updatedAt: now,
      });
      return subscription.id;
    });
    // Not in the transaction: elsewhere the subscription is locked before its orders.
    if ((await this.find(id)).reference === reference) return id;
    await this.cancelSecond(attempt, reference);
    await this.inquire(id);
    // The first charge of the plan that stays pays the order. It would become an order of its own if the order were paid by then.
    if ((await this.find(id)).state === 'pending')
      throw new NoAnswerYet('the plan that stays is not charged yet');
    await this.recordSecond(attempt, reference, startedAt);
    return null;
  }

  private listCharges(api: SubscriptionProvider, reference: string, from: Date): Promise<ProviderCharge[]> {
    return api.listCharges(reference, from, addSeconds(this.billing.now(), 86_400));
  }

  private async hasCharge(api: SubscriptionProvider, reference: string, startedAt: Date): Promise<boolean> {
    const charges = await this.listCharges(api, reference, addSeconds(startedAt, -86_400));
    return charges.some(({ state }) => state !== 'failed');
  }

  /** The customer has approved another one for the same order. */
  private async cancelSecond({ provider, orderId }: PaymentAttemptEntity, reference: string): Promise<void> {
    this.logger.warn({ orderId, reference }, 'A second approval of the same plan is cancelled');
    await this.apiOf(provider).cancel(reference, 'The plan was approved twice.').catch(ignoreRefusal);
  }

  /** The order shows what was charged for it as a second payment. */
  private async recordSecond(
    attempt: PaymentAttemptEntity,
    reference: string,
    startedAt: Date,
  ): Promise<void> {
    const { provider } = attempt;
    const from = addSeconds(startedAt, -86_400);
    const charges = await this.listCharges(this.apiOf(provider), reference, from);
    await this.charges.recordSecond(attempt, await this.charges.reportsOf(provider, charges));
  }

  /** The provider's terms contain the tax that is added to our price; in what this returns they do not. */
  private async readAtProvider({
    provider,
    reference,
    addedTaxRate,
  }: SubscriptionEntity): Promise<ProviderSubscription | null> {
    const read = await this.apiOf(provider).read(reference);
    if (!read?.terms) return read;
    const { netCents: priceCents } = splitGross(read.terms.priceCents, addedTaxRate);
    return { ...read, terms: { ...read.terms, priceCents } };
  }

  private async readFrom(subscription: SubscriptionEntity): Promise<Reading> {
    const { provider, reference, readUntil, startedAt } = subscription;
    const api = this.apiOf(provider);
    const read = await this.readAtProvider(subscription);
    if (!read) throw new RefusedByProvider('the provider does not know the subscription');
    const now = this.billing.now();
    const from = addSeconds(readUntil ?? startedAt, -overlapDays * 86_400);
    const charges = await this.listCharges(api, reference, from);
    return { read, charges, now };
  }

  /** False if something else has changed the subscription since it was read, so that the reading may be outdated. */
  private async record(
    { id, version, provider }: SubscriptionEntity,
    { read, charges, now }: Reading,
    traceparent?: string,
  ): Promise<boolean> {
    await this.charges.prepare(provider, charges);
    const reports = await this.charges.reportsOf(provider, charges);
    return transaction(this.dataSource, async (tx) => {
      const subscription = (await this.subscriptions.find(id, tx))!;
      if (subscription.version !== version) return false;
      const before = factsOf(subscription);
      const changedAt = firstAt(read.terms, reports, subscription);
      // An approved change may apply to these charges.
      const known = afterReading(before, read, { receivedCharges: before.cycles, now, changedAt });
      const charged = { ...subscription, ...known, wanted: before.wanted };
      for (const report of reports) await this.charges.record(tx, charged, report, traceparent);
      const { received, pending } = await this.orders.countCharges(tx, id);
      // The first charge has failed, so its outcome is known.
      if (read.isPastDue && received === 0 && pending === 0)
        await this.charges.endWaiting(tx, subscription.firstOrderId);
      const facts = afterReading(before, read, { receivedCharges: received, now, changedAt });
      await this.changes.apply(tx, subscription, facts, { isChargePending: pending > 0, traceparent });
      await this.subscriptions.update(tx, subscription, { readUntil: now });
      return true;
    });
  }

  /** Asks the provider for what is wanted of it, and reads it again. Repeating it is safe: the provider's present status decides. */
  private async follow(subscription: SubscriptionEntity, traceparent?: string): Promise<SubscriptionEntity> {
    const { id, provider, reference, wanted, providerStatus, endReason, problem } = subscription;
    const isDone =
      providerStatus === wanted || providerStatus === 'cancelled' || providerStatus === 'unapproved';
    if (isDone && problem === null) return subscription;
    let refusal: string | null = null;
    if (!isDone) {
      const api = this.apiOf(provider);
      const act = { charging: 'resume', stopped: 'stop', cancelled: 'cancel' } as const;
      try {
        await api[act[wanted]](reference, reasonFor(wanted, endReason));
      } catch (error) {
        if (!(error instanceof RefusedByProvider)) throw error;
        refusal = error.message;
      }
    }
    // Read again, also after a refusal: the status may have been changed at the provider meanwhile.
    const read = isDone ? null : await this.readAtProvider(subscription);
    return transaction(this.dataSource, async (tx) => {
      const locked = (await this.subscriptions.find(id, tx))!;
      if (read) await this.recordStatus(tx, locked, read, traceparent);
      const isStill = locked.providerStatus !== locked.wanted && locked.providerStatus !== 'cancelled';
      const found = isStill ? refusal : null;
      if (found !== locked.problem) await this.subscriptions.update(tx, locked, { problem: found });
      return locked;
    });
  }

  private async recordStatus(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    read: ProviderSubscription,
    traceparent?: string,
  ): Promise<void> {
    const facts = factsOf(subscription);
    // This status is the effect of our request, not of somebody at the provider.
    const expected = { ...facts, providerStatus: read.status };
    const after = afterReading(expected, read, { receivedCharges: facts.cycles, now: this.billing.now() });
    await this.changes.apply(tx, subscription, after, { traceparent });
  }

  private apiOf(provider: string): SubscriptionProvider {
    const { subscriptions } = this.providers.get(provider);
    if (!subscriptions) throw new RefusedByProvider(`${provider} has no subscriptions`);
    return subscriptions;
  }

  private async find(id: string): Promise<SubscriptionEntity> {
    const found = await this.subscriptions.find(id);
    if (!found) throw new Error(`There is no subscription ${id}`);
    return found;
  }
}

/** One whose order was cancelled, or whose customer has deleted the account, is cancelled at the provider at once. */
function newSubscription(
  order: OrderEntity,
  { provider, environment, receiver }: PaymentAttemptEntity,
  { reference, startedAt, isDeleted }: { reference: string; startedAt: Date; isDeleted: boolean },
): SubscriptionEntity {
  const { accountId, customerName, customerEmail, customerAddress, customerCountry } = order;
  const { packageName, priceCents, addedTaxRate, id: firstOrderId, number: firstOrderNumber } = order;
  const isCancelled = order.paymentStatus === 'Cancelled';
  const endReason = isDeleted ? 'account_deleted' : (order.cancelledBy ?? 'admin');
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
    ...((isDeleted || isCancelled) && { wanted: 'cancelled' as const, endReason }),
  });
}

function reasonFor(wanted: SubscriptionEntity['wanted'], endReason: SubscriptionEntity['endReason']): string {
  if (wanted === 'charging') return 'The plan goes on.';
  if (wanted === 'stopped') return 'The plan is stopped.';
  return endReason === 'customer' ? 'The customer cancelled the plan.' : 'The plan has ended.';
}

/** When the new price was charged for the first time; null if the price is the old one or was not charged yet. */
function firstAt(
  terms: ProviderSubscription['terms'],
  reports: readonly { charge: ProviderCharge }[],
  { priceCents, addedTaxRate }: { priceCents: number; addedTaxRate: string },
): Date | null {
  if (terms === null || terms.priceCents === priceCents) return null;
  const charged = totalCents({ ...terms, addedTaxRate });
  return reports.find(({ charge }) => charge.amountCents === charged)?.charge.at ?? null;
}
