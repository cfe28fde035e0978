import { z } from 'zod';
import { recordMeta, updated } from './answers.js';
import { event, query } from './contract.js';
import { exportQuery, shownPrice } from './inputs.js';
import { csvExport, grouped, list, relay, relayedIn } from './operation.js';
import { timelineEntry } from './order.contract.js';
import { sortDirection } from './paging.js';
import { checkoutForm } from './payment.contract.js';
import { adminsIdempotent, adminsOnly, paymentPolicy, signedInOnly } from './policy.js';
import { isStorable, requiredLine } from './text.js';

/** With two decimals, e.g. `"290.00"`. */
const dollars = z.string();
/** ISO 8601, by the billing clock. */
const moment = z.string();

/**
 * `pending`: approved, and the first charge is not received yet. `past_due`: a charge failed and may yet succeed; service continues until
 * `graceEndsAt`. `suspended`: still unpaid, so service and charges have stopped. `paused`: nothing is charged. `ending`: cancelled, in service until
 * `endsOn`. `ended`: final.
 */
export const subscriptionState = z.enum([
  'pending',
  'active',
  'past_due',
  'suspended',
  'paused',
  'ending',
  'ended',
]);
export type SubscriptionState = z.infer<typeof subscriptionState>;

/** Why a plan ended or was cancelled. `provider`: cancelled at the payment provider, by the customer or by the business. */
export const subscriptionEndReason = z.enum(['customer', 'admin', 'provider', 'account_deleted', 'unpaid']);
export type SubscriptionEndReason = z.infer<typeof subscriptionEndReason>;

/** Another package or price. It applies only if the customer approves it at the provider. */
const subscriptionChange = z.object({
  packageName: z.string(),
  price: dollars,
  /** Null only from an orders service of the previous version. */
  priceWithTax: dollars.nullable().default(null),
  requestedBy: z.enum(['customer', 'admin']),
  /** `announced`: can be approved from `approvableFrom` on, while no charge is outstanding. `approved`: applies from `appliesFrom` on. */
  state: z.enum(['announced', 'approved']),
  approvableFrom: moment,
  appliesFrom: moment,
});
export type SubscriptionChange = z.infer<typeof subscriptionChange>;

/** The orders of its charges have the plan's `_id` as `renewal.subscriptionId`. */
export const planSubscription = z.object({
  _id: z.string(),
  state: subscriptionState,
  accountId: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  packageName: z.string(),
  /** What the next charge costs without added tax, unless a change is approved. */
  price: dollars,
  /** In percent; "0" if the price contains the tax, or none is charged. */
  addedTaxRate: z.string().default('0'),
  /** Null only from an orders service of the previous version. */
  priceWithTax: dollars.nullable().default(null),
  firstOrderId: z.string(),
  firstOrderNumber: z.int(),
  startedAt: moment,
  /** Charges that were received. */
  cycles: z.int(),
  /** Null while no charge is planned, for example while paused. */
  nextChargeAt: moment.nullable(),
  /** With added tax. */
  nextChargeAmount: dollars.nullable(),
  paidUntil: moment.nullable(),
  /** This and `graceEndsAt` are null unless the plan is `past_due` or `suspended`. */
  pastDueSince: moment.nullable(),
  graceEndsAt: moment.nullable(),
  /** When the provider tries the failed charge again, if it does. */
  retryAt: moment.nullable(),
  /** The amount of failed charges. */
  outstanding: dollars.nullable(),
  /** Set while `ending`. */
  endsOn: moment.nullable(),
  endedAt: moment.nullable(),
  endReason: subscriptionEndReason.nullable(),
  change: subscriptionChange.nullable(),
  /** The provider's page on which the customer can change the payment method; empty if there is none. */
  paymentMethodUrl: z.string(),
  /** What the actor may do now. */
  actions: z.array(z.enum(['cancel', 'cancel_now', 'resume', 'pause', 'retry', 'change', 'approve'])),
  /** For admins: why the provider refused our last inquiry, or a change of the status. */
  problem: z.string().nullable(),
  ...recordMeta,
});
export type PlanSubscription = z.infer<typeof planSubscription>;
export type SubscriptionAction = PlanSubscription['actions'][number];

const revenueChanges = {
  /** Monthly recurring revenue of plans that began, or came back after a suspension or pause. */
  new: dollars,
  /** Added by changes to a higher price. */
  expansion: dollars,
  /** Lost by changes to a lower price. */
  contraction: dollars,
  /** Lost by plans that ended, were suspended or were paused. */
  churned: dollars,
};

/** Of all plans. Months are UTC. */
const subscriptionFigures = z.object({
  asOf: moment,
  /** Monthly recurring revenue: the prices of plans that are active, past due or ending, and were paid at least once. */
  recurring: dollars,
  /** The number of the plans of `recurring`. */
  inService: z.int(),
  pastDue: z.object({ plans: z.int(), amount: dollars }),
  /** Due within 30 days, with added tax. */
  expected: z.object({ charges: z.int(), amount: dollars }),
  /**
   * Oldest first, without gaps, up to the current month. `recurring` is the sum at the month’s end. `began` and `left` count the plans of `new` and
   * `churned`.
   */
  months: z.array(
    z.object({ month: z.string(), recurring: dollars, ...revenueChanges, began: z.int(), left: z.int() }),
  ),
});
export type SubscriptionFigures = z.infer<typeof subscriptionFigures>;

/** A preview of moving customers from earlier prices to the current one. Nothing is sent or stored yet. */
const priceChangePreview = z.object({
  packageName: z.string(),
  price: dollars,
  /** Customers who pay another price and can still be asked to move, so not those already asked. 0 from an orders service of the previous version. */
  customers: z.int().default(0),
  /** The customers by the price that they pay. One with plans at several prices is in several groups. */
  groups: z.array(
    z.object({
      price: dollars,
      customers: z.int(),
      /** The earliest and the latest time at which one of them first pays the new price: at least 30 days from now. */
      firstFrom: moment,
      lastFrom: moment,
    }),
  ),
});
export type PriceChangePreview = z.infer<typeof priceChangePreview>;

const planChangePreview = z.object({
  packageName: z.string(),
  price: dollars,
  presentPrice: dollars,
  /** The time of the next charge, the first at the new price; the present time while none is planned. */
  appliesFrom: moment,
});
export type PlanChangePreview = z.infer<typeof planChangePreview>;

const timeMachine = z.object({
  now: moment,
  /** How far the billing clock is ahead of real time. */
  aheadDays: z.number(),
});
export type TimeMachine = z.infer<typeof timeMachine>;

const record = planSubscription.meta({ id: 'PlanSubscription' });
const packageNameParam = z
  .string()
  .max(10_000)
  .refine(isStorable, 'contains characters that cannot be stored');
/** Sorting by `nextChargeAt` leaves out plans without one. */
const filter = z.object({
  state: subscriptionState.optional(),
  package: packageNameParam.optional().describe('Plans of exactly this package.'),
  own: z.boolean().optional().describe('Only your own.'),
  customer: z.uuid({ error: 'is not a customer' }).optional().describe('Only plans of this account.'),
  sort: z.enum(['startedAt', 'nextChargeAt', 'price']).default('startedAt'),
  direction: sortDirection.default('desc'),
});

const stateChange = {
  answer: updated(planSubscription),
  failures: ['FORBIDDEN', 'INVALID_TRANSITION'],
} as const;
const packageAndPrice = {
  packageName: requiredLine(10_000),
  packagePrice: shownPrice,
};

/**
 * Cancelling, resuming and pausing are stored at once, and take effect at the provider as soon as it answers. Starting a change throws UNAVAILABLE if
 * the provider does not answer in time. So does retrying a charge, unless an inquiry then finds that the charge was received.
 */
export const planSubscriptionOperations = grouped('Plan subscriptions', {
  getRenewalOffer: relay({
    at: 'GET /plan-subscriptions/offer',
    pattern: 'orders.renewalOffer',
    summary: 'Whether monthly plans can be ordered',
    policy: signedInOnly,
    answer: z.object({ available: z.boolean() }).meta({ id: 'RenewalOffer' }),
  }),
  getSubscriptionFigures: relay({
    at: 'GET /plan-subscriptions/figures',
    pattern: 'orders.subscriptionFigures',
    summary: 'Monthly recurring revenue, what is past due, what is expected, and the last 24 months',
    policy: adminsOnly,
    answer: subscriptionFigures.meta({ id: 'SubscriptionFigures' }),
  }),
  exportSubscriptionFigures: csvExport({
    at: 'GET /plan-subscriptions/figures/export',
    summary: 'The figures of the last 24 months, as a CSV file',
    query: z.object({}),
  }),
  exportPlanSubscriptions: csvExport({
    at: 'GET /plan-subscriptions/export',
    summary: 'All monthly plans that pass the filter, as a CSV file',
    query: exportQuery(filter.omit({ own: true })),
  }),
  previewPriceChange: relay({
    at: 'GET /plan-subscriptions/price-change',
    pattern: 'orders.previewPriceChange',
    summary:
      'How many customers still pay an earlier price of a package, and from when the current price could apply',
    policy: adminsOnly,
    query: z.object({ packageName: packageNameParam }),
    answer: priceChangePreview.meta({ id: 'PriceChange' }),
    failures: ['NOT_FOUND'],
  }),
  /** Asks as many customers as it can in five seconds; the rest need another request. Throws PRICE_CHANGED as `startPlanChange` does. */
  announcePriceChange: relay({
    at: 'POST /plan-subscriptions/price-change',
    pattern: 'orders.announcePriceChange',
    summary:
      'Ask the customers who pay an earlier price to approve the current one, with 30 days’ notice by mail',
    policy: adminsIdempotent,
    body: z.strictObject(packageAndPrice).meta({
      id: 'PriceChangeAnnouncement',
      examples: [{ packageName: 'Basic', packagePrice: '290.00' }],
    }),
    answer: z
      .object({
        /** Customers who were asked. */
        announced: z.int(),
        /** Customers who are left for another request. */
        remaining: z.int().default(0),
      })
      .meta({ id: 'PriceChangeAnnounced' }),
    failures: ['PRICE_CHANGED'],
  }),
  listPlanSubscriptions: list({
    at: 'GET /plan-subscriptions',
    pattern: 'orders.listSubscriptions',
    summary:
      'The monthly plans that you may see, newest first unless sorted: your own and those of customers in whose team you have the role `billing`; all of them for an admin',
    policy: signedInOnly,
    filter,
    record,
  }),
  getPlanSubscription: relay({
    at: 'GET /plan-subscription/:id',
    pattern: 'orders.subscription',
    summary: 'One of the monthly plans that you may see',
    policy: signedInOnly,
    answer: record,
  }),
  getPlanSubscriptionTimeline: relay({
    at: 'GET /plan-subscription/:id/timeline',
    pattern: 'orders.subscriptionTimeline',
    summary:
      'What happened to a monthly plan: the newest 200 entries, oldest first; actors are shown to admins only',
    policy: signedInOnly,
    answer: z.array(timelineEntry.omit({ kind: true, evidence: true }).meta({ id: 'SubscriptionEntry' })),
  }),
  cancelPlanSubscription: relay({
    at: 'POST /plan-subscription/:id/cancel',
    pattern: 'orders.cancelSubscription',
    summary: 'Cancel at the end of the paid period; admins may also cancel at once',
    policy: paymentPolicy,
    body: z
      .strictObject({ when: z.enum(['at_end', 'now']).default('at_end') })
      .meta({ id: 'SubscriptionCancel' }),
    ...stateChange,
  }),
  /** A plan that was paused before its cancellation is paused again. */
  resumePlanSubscription: relay({
    at: 'POST /plan-subscription/:id/resume',
    pattern: 'orders.resumeSubscription',
    summary: 'Take a cancellation back before the plan ends; admins may also resume a paused plan',
    policy: paymentPolicy,
    ...stateChange,
  }),
  pausePlanSubscription: relay({
    at: 'POST /plan-subscription/:id/pause',
    pattern: 'orders.pauseSubscription',
    summary: 'Charge nothing until an admin resumes the plan',
    policy: adminsIdempotent,
    ...stateChange,
  }),
  retryPlanSubscription: relay({
    at: 'POST /plan-subscription/:id/retry',
    pattern: 'orders.retrySubscription',
    summary: 'Try a failed charge again, after the customer has changed the payment method',
    policy: paymentPolicy,
    ...stateChange,
  }),
  previewPlanChange: relay({
    at: 'GET /plan-subscription/:id/change',
    pattern: 'orders.previewPlanChange',
    summary: 'What a change to another package would cost, and when it would apply',
    policy: signedInOnly,
    query: z.object({ packageName: packageNameParam }),
    answer: planChangePreview.meta({ id: 'PlanChangePreview' }),
    failures: ['FORBIDDEN', 'INVALID_TRANSITION'],
  }),
  /** Also starts the approval of a price that an admin has announced. Throws PRICE_CHANGED unless the package is on offer at this price. */
  startPlanChange: relay({
    at: 'POST /plan-subscription/:id/change',
    pattern: 'orders.changePlan',
    summary:
      'Change to another package from the next charge on; answers with the page at the provider where the customer approves it',
    policy: paymentPolicy,
    body: z.strictObject(packageAndPrice).meta({
      id: 'PlanChange',
      examples: [{ packageName: 'Basic', packagePrice: '290.00' }],
    }),
    answer: checkoutForm.meta({ id: 'CheckoutForm' }),
    failures: ['FORBIDDEN', 'INVALID_TRANSITION', 'PRICE_CHANGED'],
  }),
  refreshPlanSubscription: relay({
    at: 'POST /plan-subscription/:id/refresh',
    pattern: 'orders.refreshSubscription',
    summary:
      'Update a monthly plan with what the provider says, for example when the customer returns from its page',
    policy: paymentPolicy,
    answer: record,
  }),
  getTimeMachine: relay({
    at: 'GET /time-machine',
    pattern: 'orders.timeMachine',
    summary: 'The billing clock; only if payments are simulated',
    policy: adminsOnly,
    answer: timeMachine.meta({ id: 'TimeMachine' }),
    failures: ['NOT_FOUND'],
  }),
  /** What is due by the new time happens too: charges, failures, reminders and suspensions. */
  advanceTime: relay({
    at: 'POST /time-machine',
    pattern: 'orders.advanceTime',
    summary:
      'Move the billing clock one day forward, only if payments are simulated; it cannot be moved back',
    policy: adminsIdempotent,
    answer: timeMachine.meta({ id: 'TimeMachine' }),
    failures: ['NOT_FOUND'],
  }),
});

export const planSubscriptionContract = {
  ...relayedIn(planSubscriptionOperations),
  /** Throws NOT_FOUND. The pattern keeps its older name, because services of the previous version call it. */
  getSubscriptionForService: query({
    pattern: 'orders.subscriptionTold',
    access: 'system',
    callableBy: ['projects', 'messaging'],
    input: z.object({ id: z.string() }),
    output: planSubscription,
  }),
} as const;

/** What the customer is told. */
export const subscriptionNews = z.enum([
  'charge_failed',
  /** On the third and the seventh day after the failure. */
  'charge_failed_reminder',
  'suspended',
  /** A charge was received after all. */
  'recovered',
  'cancelled',
  'resumed',
  'paused',
  'ended',
  /** An admin has announced a price that can't be approved yet. */
  'price_change_announced',
  /** An announced price can be approved now. Sent instead of `price_change_announced` if it can be approved at once. */
  'price_change_approvable',
  'change_approved',
]);
export type SubscriptionNews = z.infer<typeof subscriptionNews>;

/** Published only if the customer is to be told. */
export const subscriptionChanged = event(
  'subscriptions.changed',
  z.object({
    subscriptionId: z.string(),
    accountId: z.string(),
    version: z.int(),
    news: subscriptionNews,
  }),
);
