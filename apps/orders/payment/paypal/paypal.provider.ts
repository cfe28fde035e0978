import type { CheckoutForm } from '#libs/contracts';
import {
  type AttemptTerms,
  type NoticeFacts,
  PaymentProvider,
  type Reading,
  type StartedAttempt,
} from '../payment-provider.js';
import { checkoutForm } from './checkout-form.js';
import { readNotice } from './paypal-checks.js';
import { PaypalClient } from './paypal-client.js';
import { type PaypalEndpoints } from './paypal-endpoints.js';
import { PaypalNotice } from './paypal-notice.js';

export interface PaypalOptions {
  endpoints: PaypalEndpoints;
  /** The site's address, without a trailing slash. */
  publicUrl: string;
  /** Of payment data transfer; without it a returning buyer's transaction is not asked about. */
  pdtToken?: string;
  postbackTimeoutMs: number;
}

/** A returning buyer waits for it, and the gateway for the answer to that buyer. */
const lookUpTimeoutMs = 5_000;
const transactionId = /^[A-Za-z0-9]{1,64}$/;

/** PayPal Payments Standard: a form, instant payment notifications (IPN), and payment data transfer (PDT). */
export class PaypalProvider extends PaymentProvider {
  override readonly name = 'paypal';
  override readonly label = 'PayPal';
  private readonly client: PaypalClient;

  constructor(private readonly options: PaypalOptions) {
    super();
    this.client = new PaypalClient({ timeoutMs: options.postbackTimeoutMs });
  }

  override get environment(): string {
    return this.options.endpoints.mode;
  }

  override startAttempt(attempt: StartedAttempt): CheckoutForm {
    return checkoutForm(attempt, this.options.endpoints.checkout, this.options.publicUrl);
  }

  override tokenIn(notice: Buffer): string | undefined {
    return new PaypalNotice(notice).token;
  }

  override async confirm(notice: Buffer, signal: AbortSignal): Promise<'genuine' | 'forged'> {
    const word = await this.client.validate(this.options.endpoints.verify, notice, signal);
    return word === 'VERIFIED' ? 'genuine' : 'forged';
  }

  override read(notice: Buffer, terms: AttemptTerms): Reading {
    const { mode } = this.options.endpoints;
    return readNotice(new PaypalNotice(notice), { terms, mode, receivedAt: new Date() });
  }

  override factsIn(notice: Buffer): NoticeFacts {
    return new PaypalNotice(notice).facts;
  }

  override async lookUp(transaction: string): Promise<Buffer | null> {
    const { pdtToken, endpoints } = this.options;
    if (pdtToken === undefined || !transactionId.test(transaction)) return null;
    const answer = await this.client.lookUp(endpoints.lookUp, transaction, pdtToken, lookUpTimeoutMs);
    return answer && tellsOfPayment(new PaypalNotice(answer)) ? answer : null;
  }
}

/**
 * PDT tells how a payment stands now, under the payment's own id: of one refunded or reversed since it says that, and nothing of the
 * transaction that did it. The notice of that transaction does.
 */
function tellsOfPayment({ movement }: PaypalNotice): boolean {
  return movement === 'received' || movement === 'pending' || movement === 'failed';
}
