import { Inject, Injectable } from '@nestjs/common';
import { paypalCheckoutFacts } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { ORDERS_CONFIG } from '../../config.module.js';
import { dollarsOf } from '../../money/price.js';
import {
  type AttemptClue,
  NoAnswerYet,
  type Notification,
  type NotificationFacts,
  PaymentProvider,
  type Reading,
  type RefundRequest,
  RefusedByProvider,
  type StartedAttempt,
  type StartedCheckout,
} from '../payment-provider.js';
import { isReceived, readWord } from './order-reading.js';
import { type PaypalApiClient, PaypalRefusal, parsed } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.token.js';
import { type PaypalCheckoutConfig, type PaypalApp, paypalAppOf } from './paypal-checkout.settings.js';
import {
  createdOrder,
  createdRefund,
  dispute,
  type Dispute,
  disputeList,
  type PaypalOrder,
  paypalOrder,
  paypalWord,
  type PaypalWord,
} from './paypal-order.js';
import { clueInWebhook, factsInWebhook } from './webhook-event.js';
import { WebhookCertificates } from './webhook-certificates.js';
import { isSignedBy, signatureOf } from './webhook-signature.js';

/** PayPal's limit for the description of an order. */
const descriptionLength = 127;
/** PayPal's limit for the note of a refund. */
const noteLength = 255;
/** The most disputes about one payment that are read. */
const maxDisputes = 5;

/** PayPal Checkout: orders, captures, refunds and disputes of the REST API, and webhooks. */
@Injectable()
export class PaypalCheckoutProvider extends PaymentProvider {
  override readonly facts = paypalCheckoutFacts;
  override readonly notifiesByHint = true;
  override readonly refunds = true;
  private readonly app: PaypalApp | undefined;
  private readonly certificates: WebhookCertificates;

  constructor(
    @Inject(ORDERS_CONFIG) private readonly config: PaypalCheckoutConfig,
    @Inject(PAYPAL_API) private readonly api: PaypalApiClient,
    private readonly clock: Clock,
  ) {
    super();
    this.app = paypalAppOf(config);
    this.certificates = new WebhookCertificates({
      mode: config.PAYPAL_MODE,
      simulatorUrl: config.PAYPAL_SIMULATOR_URL,
      timeoutMs: config.PAYPAL_TIMEOUT_MS,
    });
  }

  override get environment(): string {
    return this.config.PAYPAL_MODE;
  }

  override get isConfigured(): boolean {
    return this.app !== undefined;
  }

  /** The app: PayPal pays the account that it belongs to. */
  override receiver(): Promise<string | null> {
    return Promise.resolve(this.app?.clientId ?? null);
  }

  override async beginCheckout(attempt: StartedAttempt): Promise<StartedCheckout> {
    const { PUBLIC_URL } = this.config;
    const answer = await this.api.post(
      '/v2/checkout/orders',
      {
        intent: 'CAPTURE',
        purchase_units: [
          {
            custom_id: attempt.token,
            invoice_id: attempt.invoice,
            description: attempt.itemName.slice(0, descriptionLength),
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
    if (!approval) throw new NoAnswerYet('the order has no address for the buyer');
    const receiverAccount = units?.[0]?.payee?.merchant_id;
    return {
      form: { action: approval.href, fields: [] },
      reference: id,
      ...(receiverAccount !== undefined && { receiverAccount }),
    };
  }

  override clueOf(body: Buffer): AttemptClue {
    const word = wordIn(body);
    return word ? { checkoutReference: word.reference } : clueInWebhook(body);
  }

  override async verify(notification: Notification): Promise<'genuine' | 'forged'> {
    const now = this.clock.now();
    const signature = this.app && signatureOf(notification, this.app.webhookId, now);
    if (!signature) return 'forged';
    const certificate = await this.certificates.find(signature.certificateUrl, now);
    return certificate && isSignedBy(certificate, signature) ? 'genuine' : 'forged';
  }

  override read(word: Buffer, attempt: StartedAttempt, receivedAt: Date): Reading[] {
    return readWord(paypalWord.parse(JSON.parse(word.toString('utf8'))), {
      attempt,
      environment: this.environment,
      receivedAt,
    });
  }

  override factsOf(notification: Buffer): NotificationFacts {
    return factsInWebhook(notification);
  }

  override async inquire(attempt: StartedAttempt): Promise<Buffer | null> {
    const { checkoutReference: reference } = attempt;
    if (reference === null) return null;
    this.refuseForeign(attempt);
    const order = await this.order(reference);
    return wordOf({ reference, order, disputes: await this.disputesAbout(order), refusal: null });
  }

  /** One capture, because the request id is always the same. If the answer does not contain it, the order says whether there was one. */
  override async capture(attempt: StartedAttempt): Promise<Buffer> {
    const { id, checkoutReference: reference } = attempt;
    if (reference === null) throw new RefusedByProvider('the order at PayPal is not known');
    this.refuseForeign(attempt);
    let failure: NoAnswerYet | PaypalRefusal = new NoAnswerYet('the order has no capture yet');
    try {
      const answer = await this.api.post(`/v2/checkout/orders/${reference}/capture`, {}, `${id}-capture`);
      const { success, data } = paypalOrder.safeParse(answer);
      if (success && isCaptured(data)) return wordOf({ reference, order: data, disputes: [], refusal: null });
    } catch (error) {
      if (!(error instanceof NoAnswerYet || error instanceof PaypalRefusal)) throw error;
      failure = error;
    }
    const order = await this.order(reference);
    if (isCaptured(order)) return wordOf({ reference, order, disputes: [], refusal: null });
    if (order === null || failure instanceof NoAnswerYet) throw failure;
    return wordOf({ reference, order, disputes: [], refusal: failure.issue });
  }

  override async refund({ id, txnId, amountCents, currency, reason }: RefundRequest): Promise<string> {
    const answer = await this.api.post(
      `/v2/payments/captures/${txnId}/refund`,
      {
        amount: { currency_code: currency, value: dollarsOf(amountCents) },
        note_to_payer: reason.slice(0, noteLength),
      },
      id,
    );
    return parsed(createdRefund, answer).id;
  }

  /** Another app cannot read the order: PayPal would say that it does not exist. */
  private refuseForeign({ receiver, environment }: StartedAttempt): void {
    if (receiver !== this.app?.clientId || environment !== this.environment)
      throw new RefusedByProvider('the payment was started with another PAYPAL_CLIENT_ID or PAYPAL_MODE');
  }

  private async order(reference: string): Promise<PaypalOrder | null> {
    const answer = await this.api.get(`/v2/checkout/orders/${reference}`);
    return answer === null ? null : parsed(paypalOrder, answer);
  }

  /** Empty also for an app that may not read disputes; the check of the connection says so. */
  private async disputesAbout(order: PaypalOrder | null): Promise<Dispute[]> {
    const captures = order?.purchase_units[0]?.payments?.captures ?? [];
    const disputes: Dispute[] = [];
    for (const { id } of captures.filter(isReceived)) {
      const list = await this.disputeList(id);
      for (const item of list.slice(0, maxDisputes)) {
        const answer = await this.api.get(`/v1/customer/disputes/${item.dispute_id}`);
        if (answer !== null) disputes.push(parsed(dispute, answer));
      }
    }
    return disputes;
  }

  private async disputeList(capture: string): Promise<{ dispute_id: string }[]> {
    try {
      const answer = await this.api.get(`/v1/customer/disputes?disputed_transaction_id=${capture}`);
      return answer === null ? [] : parsed(disputeList, answer).items;
    } catch (error) {
      if (error instanceof PaypalRefusal && error.status === 403) return [];
      throw error;
    }
  }
}

function isCaptured(order: PaypalOrder | null): boolean {
  return (order?.purchase_units[0]?.payments?.captures?.length ?? 0) > 0;
}

function wordOf(word: PaypalWord): Buffer {
  return Buffer.from(JSON.stringify(word));
}

/** Undefined for a webhook. */
function wordIn(body: Buffer): PaypalWord | undefined {
  try {
    return paypalWord.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
