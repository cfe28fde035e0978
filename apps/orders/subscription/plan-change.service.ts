import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type PlanChangePreview,
  type CheckoutForm,
  DomainError,
  type HandlerInputs,
  type Output,
  planSubscriptionContract,
  type PriceChangePreview,
} from '#libs/contracts';
import { AuditTrail, Inbox, transaction } from '#libs/database';
import { utcDayInWords } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { ORDERS_CONFIG } from '../config.module.js';
import { centsOf, dollarsOf } from '../money/price.js';
import { personOf } from '../access/person.js';
import { type Offer, PackageOfferService, priceChanged } from '../package/package-offer.service.js';
import { BillingClock } from '../payment/billing-clock.js';
import type { SharedSettings } from '../payment/payment-provider.js';
import { totalCents } from '../money/tax.js';
import { firstChargeAfterDays } from './billing-dates.js';
import { SubscriptionChangeService } from './subscription-change.service.js';
import { SubscriptionService } from './subscription.service.js';
import { canAnnouncePrice, hasTerms, hasChangeTo, type SubscriptionStep } from './subscription-state.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

type Input = HandlerInputs<typeof planSubscriptionContract>;
type Announced = Output<typeof planSubscriptionContract.announcePriceChange>;

/** An announced price is first charged at least this many days after its announcement. */
const noticeDays = 30;
const batch = 100;
/** After this time, a request begins no more announcements, because the gateway waits only ten seconds for the answer. */
const maxAnnounceMs = 5_000;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * The customer approves each change at the provider. A change that the customer requested applies from the next charge on. A price that an admin
 * announced applies from the first charge at least `noticeDays` later.
 */
@Injectable()
export class PlanChangeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly offers: PackageOfferService,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changes: SubscriptionChangeService,
    private readonly subscriptionService: SubscriptionService,
    private readonly billing: BillingClock,
    private readonly audit: AuditTrail,
    @Inject(ORDERS_CONFIG) private readonly config: SharedSettings,
  ) {}

  @Handles(planSubscriptionContract.previewPlanChange)
  async preview(
    { id, packageName }: Input['previewPlanChange'],
    { actor }: RequestContext,
  ): Promise<PlanChangePreview> {
    const { subscription } = await this.subscriptionService.getFor('change', id, personOf(actor));
    const offer = await this.offers.findLatest(packageName);
    if (!offer) throw new DomainError('INVALID_TRANSITION', {}, 'This plan is no longer available.');
    return {
      packageName: offer.name,
      price: dollarsOf(offer.cents),
      presentPrice: dollarsOf(subscription.priceCents),
      // `nextChargeAt` is null while the provider names no next charge.
      appliesFrom: (subscription.nextChargeAt ?? this.billing.now()).toISOString(),
    };
  }

  /** Stores nothing: an inquiry finds an approved change at the provider. Until then, a price that was announced before stays announced. */
  @Handles(planSubscriptionContract.startPlanChange)
  async start(
    { id, packageName, packagePrice }: Input['startPlanChange'],
    context: RequestContext,
  ): Promise<CheckoutForm> {
    const { subscription } = await this.subscriptionService.getFor('change', id, personOf(context.actor));
    const offer = await this.offerAt(packageName, packagePrice);
    const terms = { packageName: offer.name, priceCents: offer.cents };
    if (hasTerms(subscription, terms))
      throw new DomainError(
        'INVALID_TRANSITION',
        {},
        'Your monthly plan already has this package and price.',
      );
    const isAnnounced = subscription.changeBy === 'admin' && hasChangeTo(subscription, terms);
    if (isAnnounced && !subscription.changeApprovalRequested)
      throw new DomainError('INVALID_TRANSITION', {}, 'The new price can’t be approved yet.');
    const chargedCents = totalCents({ ...terms, addedTaxRate: subscription.addedTaxRate });
    const returnUrl = `${this.config.PUBLIC_URL}/monthly-plan/${id}`;
    return this.subscriptionService.callProvider(
      subscription,
      context,
      (api) => api.beginChange(subscription.reference, { ...terms, priceCents: chargedCents }, returnUrl),
      (label) => `${label} can’t make this change now. Please try again later.`,
    );
  }

  /** Throws NOT_FOUND for a package that is not on offer. */
  @Handles(planSubscriptionContract.previewPriceChange)
  async previewPrice({ packageName }: Input['previewPriceChange']): Promise<PriceChangePreview> {
    const offer = await this.offers.findLatest(packageName);
    if (!offer) throw new DomainError('NOT_FOUND');
    const now = this.billing.now();
    const byPrice = new Map<number, { customers: Set<string>; dates: Date[] }>();
    const { manager } = this.dataSource;
    // One price can have several groups: when the new price applies depends on the day of the next charge and on the day of the month on which the
    // plan began.
    const priceGroups = await this.subscriptions.groupForAnnouncement(manager, priceOf(offer));
    for (const { cents, ...group } of priceGroups) {
      const { customers, dates } = byPrice.get(cents) ?? { customers: new Set<string>(), dates: [] };
      for (const accountId of group.accountIds) customers.add(accountId);
      const groupDates = [group.earliestNextChargeAt, group.latestNextChargeAt].map(
        (nextChargeAt) => firstChargeAfterDays({ ...group, nextChargeAt }, now, noticeDays).charge,
      );
      const sorted = [...dates, ...groupDates].sort((a, b) => a.getTime() - b.getTime());
      byPrice.set(cents, { customers, dates: [sorted[0]!, sorted.at(-1)!] });
    }
    return {
      packageName: offer.name,
      price: dollarsOf(offer.cents),
      customers: new Set([...byPrice.values()].flatMap(({ customers }) => [...customers])).size,
      groups: [...byPrice]
        .sort(([a], [b]) => a - b)
        .map(([cents, { customers, dates }]) => ({
          ...{ price: dollarsOf(cents), customers: customers.size },
          ...{ firstFrom: dates[0]!.toISOString(), lastFrom: dates.at(-1)!.toISOString() },
        })),
    };
  }

  /** Uses one transaction for each subscription. Stops after `maxAnnounceMs`: the remaining customers need another request. */
  @Handles(planSubscriptionContract.announcePriceChange)
  async announcePrice(
    { packageName, packagePrice }: Input['announcePriceChange'],
    context: RequestContext,
  ): Promise<Announced> {
    const storedReply = await this.inbox.findReply<Announced>(context);
    if (storedReply) return storedReply;
    const offer = await this.offerAt(packageName, packagePrice);
    const until = performance.now() + maxAnnounceMs;
    const customers = new Set<string>();
    for await (const { id, accountId } of this.listForAnnouncement(offer)) {
      if (await transaction(this.dataSource, (tx) => this.announceTo(tx, id, offer, context)))
        customers.add(accountId);
      if (performance.now() > until) break;
    }
    const announced = customers.size;
    return this.inbox.once(context, async (tx) => {
      await this.audit.record(tx, context.actor, {
        ...{ section: 'planSubscription', recordId: packageName, name: packageName, change: 'updated' },
        ...{ before: {}, after: { newPrice: dollarsOf(offer.cents), customers: announced } },
      });
      return {
        announced,
        remaining: await this.subscriptions.countCustomersForAnnouncement(tx, priceOf(offer)),
      };
    });
  }

  private async announceTo(
    tx: EntityManager,
    id: string,
    { name, cents }: Offer,
    { actor, traceparent }: RequestContext,
  ): Promise<boolean> {
    const subscription = (await this.subscriptions.lock(tx, id))!;
    // Since the list was read, the customer may have moved to another package.
    if (subscription.packageName !== name || !canAnnouncePrice(cents, subscription)) return false;
    const now = this.billing.now();
    const { charge: appliesFrom, chargeBefore } = firstChargeAfterDays(
      scheduleOf(subscription),
      now,
      noticeDays,
    );
    const { email, accountId } = personOf(actor);
    const text = `A new price was announced: $${dollarsOf(cents)} a month from ${utcDayInWords(appliesFrom)}.`;
    // If no charge comes before `appliesFrom` and none is outstanding, one mail announces the price and asks for approval.
    const isApprovable = chargeBefore === null && subscription.state === 'active';
    const step: SubscriptionStep = isApprovable
      ? { text: `${text} It can be approved now.`, news: 'price_change_approvable' }
      : { text, news: 'price_change_announced' };
    await this.changes.apply(
      tx,
      subscription,
      {
        ...{ changePackage: subscription.packageName, changeCents: cents, changeBy: 'admin' },
        ...{
          changeApprovableFrom: chargeBefore ?? now,
          changeAppliesFrom: appliesFrom,
          changeApproved: false,
        },
        changeApprovalRequested: isApprovable,
      },
      { by: { email, accountId }, traceparent },
      [step],
    );
    await this.subscriptions.scheduleInquiry(tx, { id }, now);
    return true;
  }

  private async *listForAnnouncement(offer: Offer): AsyncGenerator<SubscriptionEntity> {
    for (let after = nilUuid; ;) {
      const found = await this.subscriptions.listForAnnouncement(
        this.dataSource.manager,
        priceOf(offer),
        after,
        batch,
      );
      yield* found;
      if (found.length < batch) return;
      after = found.at(-1)!.id;
    }
  }

  /** Throws PRICE_CHANGED unless the package is on offer at that price. */
  private async offerAt(packageName: string, packagePrice: string): Promise<Offer> {
    const offer = await this.offers.findLatest(packageName);
    if (offer && offer.cents === centsOf(packagePrice)) return offer;
    throw priceChanged(offer);
  }
}

const priceOf = ({ name: packageName, cents }: Offer) => ({ packageName, cents });

const scheduleOf = ({ nextChargeAt, startedAt }: SubscriptionEntity) => ({
  nextChargeAt: nextChargeAt!,
  startedAt,
});
