import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { paypalDefinition } from '#libs/contracts';
import { ORDERS_CONFIG } from '../../config.module.js';
import {
  type AttemptReferences,
  type Notification,
  type NotificationFacts,
  PaymentProvider,
  type Reading,
  type StartedAttempt,
  type StartedCheckout,
} from '../payment-provider.js';
import { checkoutForm } from './checkout-form.js';
import { readNotification, transactionIdPattern } from './paypal-checks.js';
import { PaypalClient } from './paypal-client.js';
import { PaypalEmailService } from './paypal-email.service.js';
import { PaypalNotification } from './paypal-notification.js';
import { type PaypalConfig, type PaypalEndpoints, paypalEndpoints } from './paypal.settings.js';

/** Short, because a returning buyer waits for PayPal's answer, and the gateway for ours. */
const lookUpTimeoutMs = 5_000;

@Injectable()
export class PaypalProvider extends PaymentProvider {
  override readonly definition = paypalDefinition;
  override readonly isConfigured = true;
  override readonly notifiesByHint = false;
  private readonly client: PaypalClient;
  private readonly endpoints: PaypalEndpoints;

  constructor(
    @Inject(ORDERS_CONFIG) private readonly config: PaypalConfig,
    private readonly emails: PaypalEmailService,
  ) {
    super();
    this.client = new PaypalClient({ timeoutMs: config.PAYPAL_TIMEOUT_MS });
    this.endpoints = paypalEndpoints(config);
  }

  override get environment(): string {
    return this.config.PAYPAL_MODE;
  }

  override findReceiver(tx: EntityManager): Promise<string | null> {
    return this.emails.findAddress(tx);
  }

  override findReceiverRecordId(): Promise<string | null> {
    return this.emails.findRecordId();
  }

  override beginCheckout(attempt: StartedAttempt): Promise<StartedCheckout> {
    return Promise.resolve({
      form: checkoutForm(attempt, this.endpoints.checkoutUrl, this.config.PUBLIC_URL),
    });
  }

  override referencesOf(body: Buffer): AttemptReferences {
    return { token: new PaypalNotification(body).token };
  }

  override async verify({ body }: Notification, signal: AbortSignal): Promise<'genuine' | 'forged'> {
    const word = await this.client.validate(this.endpoints.verifyUrl, body, signal);
    return word === 'VERIFIED' ? 'genuine' : 'forged';
  }

  override read(report: Buffer, terms: StartedAttempt, receivedAt: Date): Reading[] {
    const { PAYPAL_MODE: mode } = this.config;
    return [readNotification(new PaypalNotification(report), { terms, mode, receivedAt })];
  }

  override factsOf(notification: Buffer): NotificationFacts {
    return new PaypalNotification(notification).facts;
  }

  /** Asks payment data transfer (PDT), and only about the transaction that the returning buyer names. */
  override async inquire(_attempt: StartedAttempt, [txnId]: readonly string[] = []): Promise<Buffer | null> {
    const { PAYPAL_PDT_TOKEN: pdtToken } = this.config;
    if (pdtToken === undefined || txnId === undefined || !transactionIdPattern.test(txnId)) return null;
    const answer = await this.client.lookUp(this.endpoints.lookUpUrl, txnId, pdtToken, lookUpTimeoutMs);
    // The answer has the same parameters as a notification.
    return answer && isUsable(new PaypalNotification(answer)) ? answer : null;
  }
}

/** The answer about a refunded or reversed payment is not used, because it does not name the transaction of the refund or reversal. */
function isUsable({ movement }: PaypalNotification): boolean {
  return movement === 'received' || movement === 'pending' || movement === 'failed';
}
