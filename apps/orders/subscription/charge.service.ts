import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { transaction, uuidv7 } from '#libs/database';
import { Clock, utcDay } from '#libs/runtime';
import { BillingDetailsRepository } from '../billing-details/billing-details.repository.js';
import { currency, dollarsOf } from '../money/price.js';
import { OrderChangeService } from '../order/order-change.service.js';
import { OrderEntity } from '../order/order.entity.js';
import { OrderRepository } from '../order/order.repository.js';
import type { PaymentAttemptEntity } from '../payment/attempt/payment-attempt.entity.js';
import { PaymentAttemptRepository } from '../payment/attempt/payment-attempt.repository.js';
import { PaymentInquiryService } from '../payment/attempt/payment-inquiry.service.js';
import {
  type Decision,
  PaymentNotificationProcessor,
} from '../payment/notification/payment-notification.processor.js';
import { PaymentMetrics } from '../payment/payment-metrics.js';
import { RefusedByProvider } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type { ProviderCharge } from '../payment/subscription-provider.js';
import { OrderTimelineRepository } from '../timeline/order-timeline.repository.js';
import { splitGross } from '../money/tax.js';
import type { SubscriptionEntity } from './subscription.entity.js';

interface ReportedCharge {
  charge: ProviderCharge;
  report: Buffer;
}

type ReceivingAccount = Pick<PaymentAttemptEntity, 'provider' | 'environment' | 'receiver'>;

/** Records each charge that has not failed, and only once. */
@Injectable()
export class ChargeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly billingDetails: BillingDetailsRepository,
    private readonly changes: OrderChangeService,
    private readonly timeline: OrderTimelineRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly inquiries: PaymentInquiryService,
    private readonly processor: PaymentNotificationProcessor,
    private readonly providers: PaymentProviders,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks about charges that are pending here but decided at the provider, and about refunded charges whose order has no known refund. Throws
   * NoAnswerYet and RefusedByProvider.
   */
  async inquireAboutChanged(provider: string, charges: readonly ProviderCharge[]): Promise<void> {
    const known = await this.findKnown(provider, charges);
    for (const { txnId, state, isRefunded } of charges) {
      const found = known.get(txnId);
      if (!found) continue;
      const { providerState, refundedCents } = found.order;
      const isStateOutdated = state !== 'pending' && providerState === 'pending';
      if (isStateOutdated || (isRefunded && refundedCents === 0)) await this.inquiries.inquire(found.attempt);
    }
  }

  /** Those of `charges` that are not recorded yet, in the same order, with the provider's reports. Omits failed ones, which have moved no money. */
  async listNewCharges(provider: string, charges: readonly ProviderCharge[]): Promise<ReportedCharge[]> {
    const known = await this.findKnown(provider, charges);
    const newCharges: ReportedCharge[] = [];
    for (const charge of charges) {
      if (charge.state === 'failed' || known.has(charge.txnId)) continue;
      const report = await this.providers.get(provider).subscriptions?.findChargeReport(charge.txnId);
      // If this charge were skipped, nobody would notice that its money has no order.
      if (!report)
        throw new RefusedByProvider(
          `the provider lists the charge ${charge.txnId}, but returns nothing about it`,
        );
      newCharges.push({ charge, report });
    }
    return newCharges;
  }

  /**
   * Records the charge on the oldest unpaid order, on the first order if it has no charge, or on a new order. Undefined if it was recorded before.
   * The caller has locked the subscription, and counts the returned decision after the commit.
   */
  async record(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    { charge, report }: ReportedCharge,
    traceparent?: string,
  ): Promise<Decision | undefined> {
    if (await this.isKnown(tx, subscription, charge)) return undefined;
    const unpaidOrder = await this.orders.lockOldestUnpaid(tx, subscription.id);
    const order = unpaidOrder
      ? await this.setChargedPrice(tx, unpaidOrder, charge)
      : ((await this.lockFirstOrderIfUncharged(tx, subscription)) ??
        (await this.placeOrder(tx, subscription, charge)));
    const decision = await this.recordAttempt(tx, order, subscription, { charge, report }, traceparent);
    // The provider made this charge before it learned that the plan was cancelled. If the charge pays an order that was already waiting, no flag is
    // needed, unless that order was cancelled: then `transition` raises it.
    if (subscription.desiredStatus === 'cancelled' && unpaidOrder === null)
      await this.changes.apply(tx, order, { raise: ['paid_after_cancel'] }, [], { traceparent });
    if (order.cycle === 1) await this.settleApproval(tx, order.id);
    return decision;
  }

  /** Null if the first order has a charge. If that order was paid in another way, the plan's first charge is a second payment for it. */
  private async lockFirstOrderIfUncharged(
    tx: EntityManager,
    { firstOrderId }: SubscriptionEntity,
  ): Promise<OrderEntity | null> {
    return (await this.attempts.hasChargeAttempt(tx, firstOrderId))
      ? null
      : this.orders.lock(tx, firstOrderId);
  }

  /** Call it when the plan's first charge was recorded or has failed. The payment of the order is then no longer shown as being confirmed. */
  settleApproval(tx: EntityManager, orderId: string): Promise<void> {
    return this.attempts.settleApproval(tx, orderId);
  }

  /** For a subscription that the customer approved although the order already had another subscription or was paid. */
  async recordDuplicateCharges(
    attempt: PaymentAttemptEntity,
    reported: readonly ReportedCharge[],
  ): Promise<void> {
    const decisions = await transaction(this.dataSource, async (tx) => {
      const order = (await this.orders.lock(tx, attempt.orderId))!;
      const made: (Decision | undefined)[] = [];
      for (const reportedCharge of reported)
        if (!(await this.isKnown(tx, attempt, reportedCharge.charge)))
          made.push(await this.recordAttempt(tx, order, attempt, reportedCharge));
      return made;
    });
    this.countDecisions(decisions);
  }

  countDecisions(decisions: readonly (Decision | undefined)[]): void {
    for (const decision of decisions) this.metrics.countDecision(decision);
  }

  /** The terms are in our currency, so a report about a charge in another currency is held, and an admin reviews it. */
  private async recordAttempt(
    tx: EntityManager,
    order: OrderEntity,
    { provider: name, environment, receiver }: ReceivingAccount,
    { charge: { txnId, amountCents }, report: body }: ReportedCharge,
    traceparent?: string,
  ): Promise<Decision | undefined> {
    const terms = {
      provider: name,
      environment,
      receiver,
      amountCents,
      currency,
      itemName: order.packageName,
    };
    const attempt = await this.attempts.insertChargeAttempt(
      tx,
      { ...terms, orderId: order.id, kind: 'charge' },
      { orderNumber: String(order.number), txnId },
    );
    const provider = this.providers.get(name);
    return this.processor.acceptReport(tx, { order, attempt, provider, body, traceparent });
  }

  private async isKnown(
    tx: EntityManager,
    { provider }: ReceivingAccount,
    { txnId }: ProviderCharge,
  ): Promise<boolean> {
    return (await this.attempts.findChargeAttempts(tx, provider, [txnId])).size > 0;
  }

  private findKnown(provider: string, charges: readonly ProviderCharge[]) {
    const ids = charges.map(({ txnId }) => txnId);
    return this.attempts.findChargeAttempts(this.dataSource.manager, provider, ids);
  }

  /** Sets the price to what was charged, less added tax. A charge may include the amount of an earlier one that failed. */
  private async setChargedPrice(
    tx: EntityManager,
    order: OrderEntity,
    { amountCents }: ProviderCharge,
  ): Promise<OrderEntity> {
    const priceCents = splitGross(amountCents, order.addedTaxRate).netCents;
    const packagePrice = dollarsOf(priceCents);
    if (order.priceCents !== priceCents) await this.orders.update(tx, order, { priceCents, packagePrice });
    return order;
  }

  /** For the package at the time of the charge, at the price that was charged, less added tax. */
  private async placeOrder(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    { amountCents, at }: ProviderCharge,
  ): Promise<OrderEntity> {
    const { lastCycle } = await this.orders.getChargeSummary(tx, subscription.id);
    const { changeApproved, changeAppliesFrom, changePackage, packageName, addedTaxRate } = subscription;
    const priceCents = splitGross(amountCents, addedTaxRate).netCents;
    const isChanged = changeApproved && changeAppliesFrom !== null && changeAppliesFrom <= at;
    const now = this.clock.now();
    const order = Object.assign(new OrderEntity(), {
      ...{ id: uuidv7(), accountId: subscription.accountId, customerName: subscription.customerName },
      ...{ customerEmail: subscription.customerEmail, customerAddress: subscription.customerAddress },
      // Those of the account, because the customer may have changed them since the first order.
      billing: await this.billingDetails.find(subscription.accountId, tx),
      ...{
        customerCountry: subscription.customerCountry,
        packageName: isChanged ? changePackage! : packageName,
      },
      ...{
        packagePrice: dollarsOf(priceCents),
        priceCents,
        addedTaxRate,
        orderDate: utcDay(at),
      },
      ...{ createdAt: now, updatedAt: now, subscriptionId: subscription.id, cycle: lastCycle + 1 },
    });
    await this.orders.insert(tx, order);
    const text = 'The monthly plan was renewed.';
    await this.timeline.append(tx, order.id, [
      { kind: 'placed', text, by: null, evidence: { cycle: order.cycle } },
    ]);
    return order;
  }
}
