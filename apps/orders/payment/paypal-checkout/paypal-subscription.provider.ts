import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { CheckoutForm } from '#libs/contracts';
import { ORDERS_CONFIG } from '../../config.module.js';
import { currency, dollarsOf } from '../../money/price.js';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import type { StartedAttempt, StartedCheckout } from '../payment-provider.js';
import {
  type ProviderCharge,
  type ProviderSubscriptionStatus,
  type ProviderSubscription,
  SubscriptionProvider,
  type SubscriptionTerms,
} from '../subscription-provider.js';
import { truncatedName } from '../paypal/checkout-form.js';
import { type PaypalApiClient, parsed } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.injection-token.js';
import { apiAppOf, paymentMethodUrlOf, type PaypalCheckoutConfig } from './paypal-checkout.settings.js';
import { capture, captureIdOf, centsOf, type PaypalOrder, refund, serialized } from './paypal-order.js';
import type { PaypalPlanEntity } from './paypal-plan.entity.js';
import { PaypalPlanRepository } from './paypal-plan.repository.js';
import {
  createdResource,
  type PaypalSubscription,
  paypalSubscription,
  revision,
  type Transaction,
  transactionList,
} from './paypal-subscription.js';

const statuses: Partial<Record<string, ProviderSubscriptionStatus>> = {
  APPROVAL_PENDING: 'unapproved',
  // Counts as unapproved until PayPal has activated the subscription.
  APPROVED: 'unapproved',
  ACTIVE: 'charging',
  SUSPENDED: 'stopped',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
};

const chargeStates: Partial<Record<string, ProviderCharge['state']>> = {
  COMPLETED: 'received',
  PARTIALLY_REFUNDED: 'received',
  REFUNDED: 'received',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
};

@Injectable()
export class PaypalSubscriptionProvider extends SubscriptionProvider {
  constructor(
    @Inject(ORDERS_CONFIG) private readonly config: PaypalCheckoutConfig,
    @Inject(PAYPAL_API) private readonly api: PaypalApiClient,
    private readonly plans: PaypalPlanRepository,
  ) {
    super();
  }

  override get paymentMethodUrl(): string {
    return paymentMethodUrlOf(this.config);
  }

  /** The customer approves the new subscription at the checkout. */
  async beginCheckout({
    id,
    token,
    itemName,
    amountCents,
    orderId,
  }: StartedAttempt): Promise<StartedCheckout> {
    const planId = await this.findOrCreatePlan({ packageName: itemName, priceCents: amountCents });
    const { PUBLIC_URL } = this.config;
    const body = {
      plan_id: planId,
      custom_id: token,
      application_context: {
        shipping_preference: 'NO_SHIPPING',
        user_action: 'SUBSCRIBE_NOW',
        return_url: `${PUBLIC_URL}/received-payment/${orderId}`,
        cancel_url: `${PUBLIC_URL}/order-cancelled/${orderId}`,
      },
    };
    const answer = await this.api.post('/v1/billing/subscriptions', body, id);
    const { id: reference, links = [] } = parsed(paypalSubscription, answer);
    return { form: approvalIn(links), reference };
  }

  /** PayPal's own answer, which `read` translates. Null if PayPal does not know the subscription. */
  async find(reference: string): Promise<PaypalSubscription | null> {
    const answer = await this.api.get(`/v1/billing/subscriptions/${reference}?fields=last_failed_payment`);
    return answer === null ? null : parsed(paypalSubscription, answer);
  }

  override async read(reference: string): Promise<ProviderSubscription | null> {
    const found = await this.find(reference);
    if (found === null) return null;
    const { billing_info: billing = {}, start_time: startedAt, create_time: createdAt } = found;
    const { last_failed_payment: failure, outstanding_balance: outstanding } = billing;
    const outstandingCents = outstanding ? (centsOf(outstanding) ?? 0) : 0;
    const isPastDue = (billing.failed_payments_count ?? 0) > 0 || outstandingCents > 0;
    return {
      status: statusOf(found),
      terms: found.plan_id === undefined ? null : await this.findTerms(found.plan_id),
      startedAt: dateOf(startedAt ?? createdAt),
      nextChargeAt: dateOf(billing.next_billing_time),
      isPastDue,
      failedAt: isPastDue ? dateOf(failure?.time) : null,
      retryAt: isPastDue ? dateOf(failure?.next_payment_retry_time) : null,
      outstandingCents,
    };
  }

  override async listCharges(reference: string, from: Date, to: Date): Promise<ProviderCharge[]> {
    const range = `start_time=${from.toISOString()}&end_time=${to.toISOString()}`;
    const answer = await this.api.get(`/v1/billing/subscriptions/${reference}/transactions?${range}`);
    const { transactions } = answer === null ? { transactions: [] } : parsed(transactionList, answer);
    return transactions.map(chargeOf).sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  override async findChargeReport(txnId: string): Promise<Buffer | null> {
    const order = await this.readChargeAsOrder(txnId, []);
    return order && serialized({ reference: txnId, order, disputes: [], refusal: null });
  }

  /**
   * Null if PayPal does not know the charge. PayPal accepts the id of a charge as the id of a capture, but does not list the refunds of a charge, so
   * each refund is read by its own request.
   */
  async readChargeAsOrder(txnId: string, refundIds: readonly string[]): Promise<PaypalOrder | null> {
    const answer = await this.api.get(`/v2/payments/captures/${txnId}`);
    if (answer === null) return null;
    const captured = parsed(capture, answer);
    const answers = await Promise.all(refundIds.map((id) => this.api.get(`/v2/payments/refunds/${id}`)));
    const found = answers.filter((one) => one !== null).map((one) => parsed(refund, one));
    const refunds = found.filter((one) => captureIdOf(one) === captured.id);
    const unit = { payments: { captures: [captured], refunds } };
    return { id: txnId, status: 'COMPLETED', purchase_units: [unit] };
  }

  override async stop(reference: string, reason: string): Promise<void> {
    await this.changeStatus(reference, 'suspend', reason);
  }

  override async resume(reference: string, reason: string): Promise<void> {
    await this.changeStatus(reference, 'activate', reason);
  }

  override async cancel(reference: string, reason: string): Promise<void> {
    await this.changeStatus(reference, 'cancel', reason);
  }

  override async chargeOutstanding(reference: string, amountCents: number, requestId: string): Promise<void> {
    const body = {
      note: 'Outstanding charge',
      capture_type: 'OUTSTANDING_BALANCE',
      amount: { currency_code: currency, value: dollarsOf(amountCents) },
    };
    await this.api.sendCommand(`/v1/billing/subscriptions/${reference}/capture`, body, requestId);
  }

  override async beginChange(
    reference: string,
    terms: SubscriptionTerms,
    returnUrl: string,
  ): Promise<CheckoutForm> {
    const planId = await this.findOrCreatePlan(terms);
    const body = {
      plan_id: planId,
      application_context: {
        shipping_preference: 'NO_SHIPPING',
        return_url: returnUrl,
        cancel_url: returnUrl,
      },
    };
    const answer = await this.api.post(`/v1/billing/subscriptions/${reference}/revise`, body);
    return approvalIn(parsed(revision, answer).links);
  }

  private async changeStatus(reference: string, action: 'suspend' | 'activate' | 'cancel', reason: string) {
    await this.api.sendCommand(`/v1/billing/subscriptions/${reference}/${action}`, { reason });
  }

  /**
   * Returns the plan's id. Creates PayPal's plan the first time; two processes at the same time get the same plan, because they send the same request
   * id. All plans belong to one product: PayPal lets a subscription change only between plans of one product.
   */
  private async findOrCreatePlan({ packageName, priceCents }: SubscriptionTerms): Promise<string> {
    const { scope } = this;
    const terms = { ...scope, packageName, priceCents };
    const known = await this.plans.find(terms);
    if (known) return known.planId;
    const productId = (await this.plans.find(scope))?.productId ?? (await this.createProduct());
    const body = planBody(productId, truncatedName(packageName), priceCents);
    const planId = await this.create(
      '/v1/billing/plans',
      body,
      `plan-${digest({ ...terms, product: productId })}`,
    );
    await this.plans.insertIfAbsent({ ...terms, planId, productId } satisfies PaypalPlanEntity);
    return planId;
  }

  private createProduct(): Promise<string> {
    const body = { name: 'Monthly plans', type: 'SERVICE' };
    return this.create('/v1/catalogs/products', body, `product-${digest(this.scope)}`);
  }

  private async create(path: string, body: object, requestId: string): Promise<string> {
    return parsed(createdResource, await this.api.post(path, body, requestId)).id;
  }

  private async findTerms(planId: string): Promise<SubscriptionTerms | null> {
    return this.plans.find({ ...this.scope, planId });
  }

  private get scope() {
    return { app: apiAppOf(this.config)?.clientId ?? '', environment: this.config.PAYPAL_MODE };
  }
}

const digest = (value: object) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** The plan has no end. PayPal never suspends the subscription on its own: the site stops it when the grace period is over. */
function planBody(productId: string, name: string, priceCents: number): object {
  return {
    product_id: productId,
    name,
    billing_cycles: [
      {
        frequency: { interval_unit: 'MONTH', interval_count: 1 },
        tenure_type: 'REGULAR',
        sequence: 1,
        total_cycles: 0,
        pricing_scheme: { fixed_price: { value: dollarsOf(priceCents), currency_code: currency } },
      },
    ],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 0 },
  };
}

/** Throws NoAnswerYet for an unknown status, because nothing may be concluded from it. */
export function statusOf({ status }: PaypalSubscription): ProviderSubscriptionStatus {
  const known = statuses[status];
  if (known === undefined)
    throw new NoAnswerYet(`the subscription has the unknown status ${status.slice(0, 40)}`);
  return known;
}

function chargeOf({ id, status = '', amount_with_breakdown: { gross_amount: gross }, time }: Transaction) {
  return {
    txnId: id,
    // A charge with an unknown status counts as pending. It is recorded in the state that `findChargeReport` reports.
    state: chargeStates[status] ?? 'pending',
    isRefunded: status.endsWith('REFUNDED'),
    amountCents: centsOf(gross) ?? 0,
    at: dateOf(time) ?? new Date(0),
  };
}

function approvalIn(links: readonly { rel: string; href: string }[]): CheckoutForm {
  const approval = links.find(({ rel }) => rel === 'approve');
  if (!approval) throw new NoAnswerYet('there is no address at which the customer approves');
  return { action: approval.href, fields: [] };
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
