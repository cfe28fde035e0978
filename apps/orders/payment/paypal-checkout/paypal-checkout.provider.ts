import { Inject, Injectable } from '@nestjs/common';
import { paypalCheckoutDefinition } from '#libs/contracts';
import { ORDERS_CONFIG } from '../../config.module.js';
import { dollarsOf } from '../../money/price.js';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import {
  type AttemptReferences,
  type Notification,
  type NotificationFacts,
  PaymentProvider,
  type Reading,
  type RefundRequest,
  RefusedByProvider,
  type StartedAttempt,
  type StartedCheckout,
} from '../payment-provider.js';
import { BillingClock } from '../billing-clock.js';
import type { ProviderSubscriptionStatus, SimulatedClock } from '../subscription-provider.js';
import { truncatedName } from '../paypal/checkout-form.js';
import { PaypalEmailService } from '../paypal/paypal-email.service.js';
import { isReceived, readReport } from './order-reading.js';
import { type PaypalApiClient, PaypalRefusal, parsed } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.injection-token.js';
import {
  apiAppOf,
  apiOriginOf,
  type PaypalApp,
  paypalAppOf,
  type PaypalCheckoutConfig,
  requestTimeoutOf,
} from './paypal-checkout.settings.js';
import {
  createdOrder,
  createdRefund,
  dispute,
  type Dispute,
  disputeList,
  type PaypalOrder,
  paypalOrder,
  paypalReport,
  type PaypalReport,
  serialized,
} from './paypal-order.js';
import { PaypalSubscriptionProvider, statusOf } from './paypal-subscription.provider.js';
import { PaypalSimulatorClock } from './simulator-clock.js';
import { referencesInWebhook, factsInWebhook } from './webhook-event.js';
import { WebhookCertificates } from './webhook-certificates.js';
import { isSignedBy, findSignedWebhook } from './webhook-signature.js';

/** How many disputes of one payment are read. */
const maxDisputes = 5;

@Injectable()
export class PaypalCheckoutProvider extends PaymentProvider {
  override readonly definition = paypalCheckoutDefinition;
  override readonly notifiesByHint = true;
  override readonly canRefund = true;
  override readonly simulatedClock: SimulatedClock | undefined;
  /** With the simulator, set even without credentials. */
  private readonly app: PaypalApp | undefined;
  private readonly certificates: WebhookCertificates;

  constructor(
    @Inject(ORDERS_CONFIG) private readonly config: PaypalCheckoutConfig,
    @Inject(PAYPAL_API) private readonly api: PaypalApiClient,
    override readonly subscriptions: PaypalSubscriptionProvider,
    private readonly clock: BillingClock,
    private readonly emails: PaypalEmailService,
  ) {
    super();
    this.app = apiAppOf(config);
    if (config.PAYPAL_MODE === 'simulator')
      this.simulatedClock = new PaypalSimulatorClock({
        origin: apiOriginOf(config),
        timeoutMs: requestTimeoutOf(config),
      });
    this.certificates = new WebhookCertificates({
      mode: config.PAYPAL_MODE,
      simulatorUrl: config.PAYPAL_SIMULATOR_URL,
      timeoutMs: requestTimeoutOf(config),
    });
  }

  override get environment(): string {
    return this.config.PAYPAL_MODE;
  }

  override get isConfigured(): boolean {
    return paypalAppOf(this.config) !== undefined;
  }

  override get canChargePlans(): boolean {
    return this.app !== undefined;
  }

  /** PayPal pays the account that the app belongs to. */
  override findReceiver(): Promise<string | null> {
    return Promise.resolve(this.app?.clientId ?? null);
  }

  /** The screen with the e-mail address for Payments Standard also shows the connection to PayPal Checkout. */
  override findReceiverRecordId(): Promise<string | null> {
    return this.emails.findRecordId();
  }

  override async beginCheckout(attempt: StartedAttempt): Promise<StartedCheckout> {
    if (attempt.kind === 'subscription') return this.subscriptions.beginCheckout(attempt);
    const { PUBLIC_URL } = this.config;
    const answer = await this.api.post(
      '/v2/checkout/orders',
      {
        intent: 'CAPTURE',
        purchase_units: [
          {
            custom_id: attempt.token,
            invoice_id: attempt.invoice,
            description: truncatedName(attempt.itemName),
            amount: { currency_code: attempt.currency, value: dollarsOf(attempt.amountCents) },
          },
        ],
        payment_source: {
          paypal: {
            experience_context: {
              shipping_preference: 'NO_SHIPPING',
              user_action: 'PAY_NOW',
              return_url: `${PUBLIC_URL}/received-payment/${attempt.orderId}`,
              cancel_url: `${PUBLIC_URL}/order-cancelled/${attempt.orderId}`,
            },
          },
        },
      },
      attempt.id,
    );
    const { id, links = [], purchase_units: units } = parsed(createdOrder, answer);
    const approval = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
    if (!approval) throw new NoAnswerYet('the order has no approval link');
    const receiverAccount = units?.[0]?.payee?.merchant_id;
    return {
      form: { action: approval.href, fields: [] },
      reference: id,
      ...(receiverAccount !== undefined && { receiverAccount }),
    };
  }

  override referencesOf(body: Buffer): AttemptReferences {
    const report = reportIn(body);
    return report ? { checkoutReference: report.reference } : referencesInWebhook(body);
  }

  override async verify(notification: Notification): Promise<'genuine' | 'forged'> {
    // The simulator dates its webhooks by its clock, which may have been moved.
    if (this.simulatedClock) this.clock.aheadMs = await this.simulatedClock.readAheadMs();
    const now = this.clock.now();
    const signedWebhook = this.app && findSignedWebhook(notification, this.app.webhookId, now);
    if (!signedWebhook) return 'forged';
    const certificate = await this.certificates.findTrusted(signedWebhook.certificateUrl, now);
    return certificate && isSignedBy(certificate, signedWebhook) ? 'genuine' : 'forged';
  }

  override read(report: Buffer, attempt: StartedAttempt, receivedAt: Date): Reading[] {
    return readReport(paypalReport.parse(JSON.parse(report.toString('utf8'))), {
      attempt,
      environment: this.environment,
      receivedAt,
    });
  }

  override factsOf(notification: Buffer): NotificationFacts {
    return factsInWebhook(notification);
  }

  override async inquire(attempt: StartedAttempt, txnIds: readonly string[] = []): Promise<Buffer | null> {
    const { kind, checkoutReference: reference } = attempt;
    if (reference === null) return null;
    this.refuseForeign(attempt);
    if (kind === 'subscription') return this.inquireAboutSubscription(reference);
    const order = await (kind === 'charge'
      ? this.subscriptions.readChargeAsOrder(reference, txnIds)
      : this.findOrder(reference));
    return serialized({ reference, order, disputes: await this.listDisputesAbout(order), refusal: null });
  }

  /** An attempt's request id is always the same, so there is only one capture. If the answer does not contain the capture, the order is read. */
  override async capture(attempt: StartedAttempt): Promise<Buffer> {
    const { id, checkoutReference: reference } = attempt;
    if (reference === null) throw new RefusedByProvider('the order at PayPal is not known');
    this.refuseForeign(attempt);
    let failure: NoAnswerYet | PaypalRefusal = new NoAnswerYet('the order has no capture yet');
    try {
      const answer = await this.api.post(`/v2/checkout/orders/${reference}/capture`, {}, `${id}-capture`);
      const { success, data } = paypalOrder.safeParse(answer);
      if (success && hasCapture(data))
        return serialized({ reference, order: data, disputes: [], refusal: null });
    } catch (error) {
      if (!(error instanceof NoAnswerYet || error instanceof PaypalRefusal)) throw error;
      failure = error;
    }
    const order = await this.findOrder(reference);
    if (hasCapture(order)) return serialized({ reference, order, disputes: [], refusal: null });
    if (order === null || failure instanceof NoAnswerYet) throw failure;
    return serialized({ reference, order, disputes: [], refusal: failure.issue });
  }

  /** While a dispute about a payment is open, PayPal refuses partial refunds of it. */
  override async refund({ id, txnId, amountCents, currency, reason }: RefundRequest): Promise<string> {
    const answer = await this.api.post(
      `/v2/payments/captures/${txnId}/refund`,
      {
        amount: { currency_code: currency, value: dollarsOf(amountCents) },
        // Erased if the customer has deleted their account in the meantime. PayPal refuses an empty note.
        ...(reason !== '' && { note_to_payer: reason }),
      },
      id,
    );
    return parsed(createdRefund, answer).id;
  }

  /** For an attempt of another app or environment, PayPal would say that the order does not exist, and the attempt would be closed. */
  private refuseForeign({ receiver, environment }: StartedAttempt): void {
    if (receiver !== this.app?.clientId || environment !== this.environment)
      throw new RefusedByProvider('the payment was started with another PAYPAL_CLIENT_ID or PAYPAL_MODE');
  }

  /** Reports only whether the plan is approved or cancelled. Each of its charges is an attempt of its own. */
  private async inquireAboutSubscription(reference: string): Promise<Buffer> {
    const found = await this.subscriptions.find(reference);
    const status = found && orderStatusOf[statusOf(found)];
    const order = status === null ? null : { id: reference, status, purchase_units: [{}] };
    return serialized({ reference, order, disputes: [], refusal: null });
  }

  private async findOrder(reference: string): Promise<PaypalOrder | null> {
    const answer = await this.api.get(`/v2/checkout/orders/${reference}`);
    return answer === null ? null : parsed(paypalOrder, answer);
  }

  /** Also empty if PayPal refuses, as it does if the app is not allowed to read disputes; the check of the connection reports that. */
  private async listDisputesAbout(order: PaypalOrder | null): Promise<Dispute[]> {
    const captures = order?.purchase_units[0]?.payments?.captures ?? [];
    try {
      // Only a received payment can be disputed.
      const disputes = await Promise.all(
        captures.filter(isReceived).map(({ id }) => this.listDisputesOf(id)),
      );
      return disputes.flat();
    } catch (error) {
      if (error instanceof PaypalRefusal) return [];
      throw error;
    }
  }

  private async listDisputesOf(captureId: string): Promise<Dispute[]> {
    const list = await this.api.get(`/v1/customer/disputes?disputed_transaction_id=${captureId}`);
    const items = list === null ? [] : parsed(disputeList, list).items.slice(0, maxDisputes);
    const answers = await Promise.all(
      items.map(({ dispute_id: id }) => this.api.get(`/v1/customer/disputes/${id}`)),
    );
    return answers.filter((answer) => answer !== null).map((answer) => parsed(dispute, answer));
  }
}

/** `CHARGING` is our own word for an approved plan, even a stopped one. PayPal does not use it for orders. */
const orderStatusOf: Record<ProviderSubscriptionStatus, string> = {
  unapproved: 'CREATED',
  charging: 'CHARGING',
  stopped: 'CHARGING',
  cancelled: 'VOIDED',
};

function hasCapture(order: PaypalOrder | null): boolean {
  return (order?.purchase_units[0]?.payments?.captures?.length ?? 0) > 0;
}

/** Undefined for a webhook. */
function reportIn(body: Buffer): PaypalReport | undefined {
  try {
    return paypalReport.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
