import type { Clock } from '../clock.js';
import type { LedgerEntryRecord, PaymentLedger, PaymentRecord, RefundTexts } from '../ledger.js';
import type { Merchants } from '../merchants.js';
import type { AppProfile, Buyer, NotificationMisbehaviour, OrderPaymentMethod, RestApp } from '../model.js';
import type { Transmission, WebhookDraft } from '../notifications.js';
import { type App, Apps, type Webhook } from './apps.js';
import { Certificates } from './certificates.js';
import { type Dispute, DisputeResources, disputesOf } from './disputes.js';
import { notFound, unprocessable } from './errors.js';
import { type KeptAnswer, KeptAnswers } from './kept-answers.js';
import type { SavedCertificates } from './make-certificates.js';
import type { Money } from './request-fields.js';
import { type OrderRecord, Orders } from './orders.js';
import { Resources } from './resources.js';
import { BillingResources } from './billing-resources.js';
import type { PlanRequest, ProductRequest } from './billing-request.js';
import { Catalog, type PlanRecord, type ProductRecord } from './catalog.js';
import { type SubscriptionEvent, type SubscriptionRecord, Subscriptions } from './subscriptions.js';
import { eventTypeOf, type Subject, summaryOf, WebhookEvents } from './webhook-events.js';

/** The state that must survive a restart. */
export interface RestSnapshot {
  apps: App[];
  webhooks: Webhook[];
  orders: OrderRecord[];
  answers: KeptAnswer[];
  certificates: SavedCertificates | null;
  /** Absent from snapshots of earlier versions. */
  billing?: { products: ProductRecord[]; plans: PlanRecord[]; subscriptions: SubscriptionRecord[] };
}

export interface RestOptions {
  clock: Clock;
  merchants: Merchants;
  ledger: PaymentLedger;
  queueWebhook: (draft: WebhookDraft) => void;
  /** Called after each change of the state in `RestSnapshot`, to save it. */
  changed: () => void;
}

/** PayPal's REST API without its HTTP routes. */
export class Rest {
  /** Set when the server listens. */
  origin = '';
  readonly apps: Apps;
  readonly certificates: Certificates;
  readonly orders: Orders;
  readonly catalog: Catalog;
  readonly subscriptions: Subscriptions;
  readonly answers: KeptAnswers;
  readonly events: WebhookEvents;

  constructor(private readonly options: RestOptions) {
    const { clock, merchants, ledger, queueWebhook, changed } = options;
    this.apps = new Apps(clock, merchants, changed);
    this.certificates = new Certificates(clock, changed);
    this.orders = new Orders(clock, merchants, ledger, changed);
    this.catalog = new Catalog(clock, changed);
    this.subscriptions = new Subscriptions({
      ...options,
      catalog: this.catalog,
      announce: (event, record) => this.announceSubscription(event, record),
    });
    this.answers = new KeptAnswers(clock, changed);
    this.events = new WebhookEvents(clock, this.apps, this.certificates, () => this.origin, queueWebhook);
  }

  get resources(): Resources {
    return new Resources(this.origin, this.options.merchants);
  }

  get billingResources(): BillingResources {
    return new BillingResources(this.origin);
  }

  get disputeResources(): DisputeResources {
    return new DisputeResources(this.origin, this.options.merchants);
  }

  /** Newest first. */
  listDisputes(merchantId: string): Dispute[] {
    const payments = this.options.ledger.all.filter(({ purchase }) => purchase.merchantId === merchantId);
    return payments.flatMap(disputesOf).sort((one, other) => other.openedAt - one.openedAt);
  }

  async createOrUpdateApp(profile: AppProfile): Promise<RestApp> {
    if (profile.webhookUrl !== undefined) await this.certificates.prepare();
    return this.apps.createOrUpdate(profile);
  }

  sign(webhookId: string, body: string, misbehaviour: NotificationMisbehaviour): Transmission {
    return this.events.sign(webhookId, body, misbehaviour);
  }

  /** Undefined before the capture. */
  paymentOf({ captureId }: OrderRecord): PaymentRecord | undefined {
    return captureId === null ? undefined : this.options.ledger.get(captureId);
  }

  /** Returns the address for the buyer's return to the shop; null if the order has none. */
  approveOrder(orderId: string, method: OrderPaymentMethod, buyer: Buyer): string | null {
    const order = this.orders.approve(orderId, method, buyer);
    this.options.changed();
    this.announceOrder('CHECKOUT.ORDER.APPROVED', 'An order has been approved by buyer', order);
    return returnUrlOf(order);
  }

  captureOrder(order: OrderRecord): PaymentRecord {
    const payment = this.orders.capture(order, this.resources.approvalUrl(order.id));
    this.options.changed();
    this.announceOrder('CHECKOUT.ORDER.COMPLETED', 'Checkout Order Completed', order);
    return payment;
  }

  addProduct(merchantId: string, request: ProductRequest): ProductRecord {
    const product = this.catalog.addProduct(merchantId, request);
    const resource = this.billingResources.product(product);
    this.announce('CATALOG.PRODUCT.CREATED', 'A product is created', resource, { merchantId });
    return product;
  }

  addPlan(merchantId: string, request: PlanRequest): PlanRecord {
    const plan = this.catalog.addPlan(merchantId, request);
    const resource = this.billingResources.plan(plan);
    this.announce('BILLING.PLAN.CREATED', 'A billing plan was created', resource, { merchantId });
    return plan;
  }

  /** For `/v2/payments/captures/{id}`. Throws 404. */
  getCapture(id: string, merchantId: string): PaymentRecord {
    const payment = this.options.ledger.all.find(({ transactionId }) => transactionId === id);
    if (payment?.purchase.merchantId !== merchantId) throw notFound();
    return payment;
  }

  /** A refund or a reversal, for `/v2/payments/refunds/{id}`. Throws 404. */
  getRefund(id: string, merchantId: string): { payment: PaymentRecord; entry: LedgerEntryRecord } {
    for (const payment of this.options.ledger.list({ transactionId: id })) {
      const entry = payment.entries.find(({ transactionId }) => transactionId === id)!;
      if (payment.purchase.merchantId === merchantId && ['Refunded', 'Reversed'].includes(entry.status))
        return { payment, entry };
    }
    throw notFound();
  }

  /** Without `money`, refunds everything that is left. */
  refund(payment: PaymentRecord, money: Money | null, texts: RefundTexts): LedgerEntryRecord {
    const { standing, gross, refunded, purchase, transactionId } = payment;
    const refundError = refundErrors[standing];
    if (refundError) throw unprocessable(...refundError);
    if (money && money.currency !== purchase.currency)
      throw unprocessable(
        'REFUND_CAPTURE_CURRENCY_MISMATCH',
        'Refund must be in the same currency as the capture',
        '/amount/currency_code',
      );
    if (money && money.minor > gross - refunded)
      throw unprocessable(
        'REFUND_AMOUNT_EXCEEDED',
        'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
        '/amount/value',
      );
    return this.options.ledger.refund(transactionId, money?.minor, texts).entries.at(-1)!;
  }

  /**
   * Announces a new ledger entry, and updates the subscription of a charge. A payment by form (an HTML form of Payments Standard) makes no events
   * except those of its disputes.
   */
  entryPosted(payment: PaymentRecord, entry: LedgerEntryRecord): void {
    this.announceDispute(payment, entry);
    const { orderId, subscriptionId } = payment;
    const eventType = eventTypeOf(payment, entry);
    if ((orderId !== null || subscriptionId !== null) && eventType !== undefined) {
      const summary = summaryOf(eventType, payment, entry);
      this.announce(eventType, summary, this.resourceOf(payment, entry), subjectOf(payment));
    }
    if (subscriptionId !== null) this.subscriptions.entryPosted(payment, entry);
  }

  snapshot(): RestSnapshot {
    return {
      apps: this.apps.all,
      webhooks: this.apps.allWebhooks,
      orders: this.orders.all,
      answers: this.answers.all,
      certificates: this.certificates.saved ?? null,
      billing: {
        products: this.catalog.products,
        plans: this.catalog.plans,
        subscriptions: this.subscriptions.all,
      },
    };
  }

  restore({ apps, webhooks, orders, answers, certificates, billing }: RestSnapshot): void {
    this.apps.restore(apps, webhooks);
    this.orders.restore(orders);
    this.answers.restore(answers);
    this.certificates.restore(certificates ?? undefined);
    if (!billing) return;
    this.catalog.restore(billing.products, billing.plans);
    this.subscriptions.restore(billing.subscriptions);
  }

  /** PayPal describes a reversal as a refund, too. */
  private resourceOf(payment: PaymentRecord, entry: LedgerEntryRecord): object {
    const isRefund = entry.status === 'Refunded' || entry.status === 'Reversed';
    if (payment.subscriptionId === null)
      return isRefund ? this.resources.refund(payment, entry) : this.resources.capture(payment);
    return isRefund ? this.billingResources.saleRefund(payment, entry) : this.billingResources.sale(payment);
  }

  private announceSubscription(event: SubscriptionEvent, record: SubscriptionRecord): void {
    const { id: subscriptionId, merchantId, customId: custom } = record;
    const summary = `Subscription ${event.toLowerCase().replace('.', ' ')}`;
    const resource = this.billingResources.subscription(record, this.subscriptions.planOf(record));
    const subject = { merchantId, custom, subscriptionId };
    this.announce(`BILLING.SUBSCRIPTION.${event}`, summary, resource, subject);
  }

  /** PayPal sends events about the disputes of all payments, also of payments by form. */
  private announceDispute(payment: PaymentRecord, { status, caseId }: LedgerEntryRecord): void {
    if (status !== 'Reversed' && status !== 'Canceled_Reversal') return;
    const dispute = disputesOf(payment).find(({ id }) => id === caseId)!;
    const [eventType, summary] =
      status === 'Reversed'
        ? ['CUSTOMER.DISPUTE.CREATED', `A new dispute opened with Case # ${dispute.id}`]
        : ['CUSTOMER.DISPUTE.RESOLVED', `Dispute ${dispute.id} resolved`];
    this.announce(eventType, summary, this.disputeResources.full(dispute), subjectOf(payment));
  }

  private announceOrder(eventType: string, summary: string, order: OrderRecord): void {
    const { id: orderId, merchantId, request } = order;
    const payment = this.paymentOf(order);
    this.announce(eventType, summary, this.resources.order(order, payment), {
      merchantId,
      invoice: request.invoiceId ?? '',
      custom: request.customId ?? '',
      orderId,
      payment,
    });
  }

  private announce(eventType: string, summary: string, resource: object, subject: Subject): void {
    this.events.announce({ eventType, summary, resource, subject });
  }
}

function subjectOf(payment: PaymentRecord): Subject {
  const { purchase, orderId, subscriptionId } = payment;
  const { merchantId, invoice, custom } = purchase;
  return { merchantId, invoice, custom, orderId, subscriptionId, payment };
}

const notRefundable = ['REFUND_NOT_ALLOWED', 'Capture cannot be refunded.'] as const;
const refundErrors: Partial<
  Record<PaymentRecord['standing'], readonly [issue: string, description: string]>
> = {
  Refunded: ['CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded'],
  Pending: [
    'PENDING_CAPTURE',
    'Cannot initiate a refund as the capture is pending. Capture is typically pending when the payer has funded the transaction using e-check/bank funded.',
  ],
  Reversed: [
    'TRANSACTION_DISPUTED',
    'Partial refunds cannot be offered at this time because there is an open case on this transaction. Visit the PayPal Resolution Center to review this case.',
  ],
  Failed: notRefundable,
  Denied: notRefundable,
  Expired: notRefundable,
  Voided: notRefundable,
};

/** `return_url` with the parameters that PayPal adds. */
function returnUrlOf({ id, request, approval }: OrderRecord): string | null {
  if (request.returnUrl === null) return null;
  const url = new URL(request.returnUrl);
  url.searchParams.set('token', id);
  if (approval) url.searchParams.set('PayerID', approval.payerId);
  return url.href;
}

/** `cancel_url` with the parameter that PayPal adds. */
export function cancelUrlOf({ id, request }: OrderRecord): string | null {
  if (request.cancelUrl === null) return null;
  const url = new URL(request.cancelUrl);
  url.searchParams.set('token', id);
  return url.href;
}
