import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import {
  paypalCheckoutDefinition,
  type PaypalConnection,
  type PaypalConnectionCheck,
  paypalConnectionContract,
  paypalDefinition,
} from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { ORDERS_CONFIG } from '../../config.module.js';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { notificationUrl } from '../payment-provider.js';
import { PaypalEmailService } from '../paypal/paypal-email.service.js';
import { PaypalApiClient, PaypalRefusal, parsed } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.injection-token.js';
import {
  otherEnvironmentOf,
  type PaypalApp,
  paypalAppOf,
  type PaypalCheckoutConfig,
  requestTimeoutOf,
} from './paypal-checkout.settings.js';
import { PaypalConnectionRepository } from './paypal-connection.repository.js';

type Check = PaypalConnectionCheck;

/** Events after which the site makes inquiries. A webhook may also subscribe to all events (`*`). */
const neededEvents = [
  ...['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DECLINED'],
  ...['PAYMENT.CAPTURE.DENIED', 'PAYMENT.CAPTURE.PENDING', 'PAYMENT.CAPTURE.REFUNDED'],
  ...['PAYMENT.CAPTURE.REVERSED', 'CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.RESOLVED'],
  ...['CUSTOMER.DISPUTE.UPDATED', 'PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.DENIED', 'PAYMENT.SALE.PENDING'],
  ...['PAYMENT.SALE.REFUNDED', 'PAYMENT.SALE.REVERSED', 'BILLING.SUBSCRIPTION.ACTIVATED'],
  ...['BILLING.SUBSCRIPTION.CANCELLED', 'BILLING.SUBSCRIPTION.EXPIRED', 'BILLING.SUBSCRIPTION.SUSPENDED'],
  ...['BILLING.SUBSCRIPTION.UPDATED', 'BILLING.SUBSCRIPTION.PAYMENT.FAILED'],
];
/** A larger difference is reported, long before it makes genuine notifications look too old or too new. */
const clockToleranceMs = 60_000;

const webhook = z.object({
  url: z.string(),
  event_types: z.array(z.object({ name: z.string() })).default([]),
});

/** Checks the connection whenever an admin asks for it and, with PayPal Checkout, at the start. */
@Injectable()
export class PaypalConnectionService implements OnApplicationBootstrap {
  private readonly app: PaypalApp | undefined;

  constructor(
    @Inject(ORDERS_CONFIG) private readonly config: PaypalCheckoutConfig,
    @Inject(PAYPAL_API) private readonly api: PaypalApiClient,
    private readonly dataSource: DataSource,
    private readonly emails: PaypalEmailService,
    private readonly notifications: PaypalConnectionRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.app = paypalAppOf(config);
  }

  /** Does not delay the start: PayPal may be slow. */
  onApplicationBootstrap(): void {
    if (this.app) void this.reportProblems(this.app);
  }

  @Handles(paypalConnectionContract.getPaypalConnection)
  async getConnection(): Promise<PaypalConnection> {
    const { PAYPAL_MODE: mode, PUBLIC_URL } = this.config;
    const definition = this.app ? paypalCheckoutDefinition : paypalDefinition;
    const lastNotificationAt = await this.notifications.findLastNotificationAt(definition.name);
    return {
      ...this.getProduct(),
      mode,
      notificationUrl: notificationUrl(PUBLIC_URL, definition),
      lastNotificationAt: lastNotificationAt?.toISOString() ?? null,
      checks: [
        ...(this.app ? await this.checkAll(this.app) : [await this.checkEmail()]),
        checkNotifications(lastNotificationAt),
      ],
    };
  }

  @Handles(paypalConnectionContract.paypalProduct)
  getProduct(): Pick<PaypalConnection, 'product'> {
    return { product: this.app ? 'checkout' : 'standard' };
  }

  private async reportProblems(app: PaypalApp): Promise<void> {
    try {
      for (const { check, state, sentence } of await this.checkAll(app))
        if (state === 'problem') this.logger.error({ check }, sentence);
    } catch (error) {
      this.logger.error({ err: error }, 'Checking the connection to PayPal failed');
    }
  }

  private async checkAll(app: PaypalApp): Promise<Check[]> {
    const credentials = await this.checkCredentials(app);
    if (credentials.state !== 'ok') return [credentials];
    const [webhookChecks, disputes] = await Promise.all([
      this.checkWebhook(app),
      checkAtPaypal('disputes', () => this.checkDisputes()),
    ]);
    return [credentials, ...webhookChecks, disputes, this.checkClock()];
  }

  private checkCredentials(app: PaypalApp): Promise<Check> {
    const { PAYPAL_MODE: mode } = this.config;
    return checkAtPaypal('credentials', async () => {
      if (await this.api.acceptsCredentials()) return ok('PayPal accepts the credentials.');
      const other = otherEnvironmentOf(this.config);
      return problem(
        other && (await this.isAcceptedBy(other.origin, app))
          ? `These credentials are for ${environmentNames[other.mode]}, but PAYPAL_MODE is ${mode}.`
          : 'PayPal doesn’t accept PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET. Copy both again from the app’s page in PayPal’s developer dashboard.',
      );
    });
  }

  /** Also false if that environment does not answer: that the configured one refuses the credentials is reported in any case. */
  private async isAcceptedBy(origin: string, app: PaypalApp): Promise<boolean> {
    const timeoutMs = requestTimeoutOf(this.config);
    try {
      return await new PaypalApiClient({ ...app, origin, timeoutMs, clock: this.clock }).acceptsCredentials();
    } catch (error) {
      if (error instanceof NoAnswerYet) return false;
      throw error;
    }
  }

  private async checkWebhook({ webhookId }: PaypalApp): Promise<Check[]> {
    let events: Check | undefined;
    const address = await checkAtPaypal('webhook', async () => {
      const answer = await this.api.get(`/v1/notifications/webhooks/${encodeURIComponent(webhookId)}`);
      if (answer === null) return problem('This app has no webhook with the ID in PAYPAL_WEBHOOK_ID.');
      const { url, event_types: types } = parsed(webhook, answer);
      events = { check: 'events', ...checkEvents(types.map(({ name }) => name)) };
      const expected = notificationUrl(this.config.PUBLIC_URL, paypalCheckoutDefinition);
      return url === expected
        ? ok('PayPal sends notifications to this site.')
        : problem(`The webhook sends notifications to ${url}. Change its address to ${expected}.`);
    });
    return events ? [address, events] : [address];
  }

  private async checkDisputes() {
    try {
      await this.api.get('/v1/customer/disputes?page_size=1');
      return ok('The app can read disputes.');
    } catch (error) {
      if (!(error instanceof PaypalRefusal)) throw error;
      return problem(
        'The app can’t read disputes, so the site doesn’t see them. Turn on “Customer disputes” for the app in PayPal’s developer dashboard.',
      );
    }
  }

  private checkClock(): Check {
    const paypalAheadMs = this.api.clockAheadMs;
    if (paypalAheadMs === undefined) return { check: 'clock', ...unknown('PayPal’s time is not known.') };
    const seconds = Math.round(Math.abs(paypalAheadMs) / 1000);
    return {
      check: 'clock',
      ...(Math.abs(paypalAheadMs) <= clockToleranceMs
        ? ok('The server’s clock agrees with PayPal’s.')
        : problem(
            `The server’s clock is ${seconds} seconds ${paypalAheadMs > 0 ? 'behind' : 'ahead of'} PayPal’s. Correct it.`,
          )),
    };
  }

  /** Payments Standard has no credentials, so this checks the address of the account that receives payments. */
  private async checkEmail(): Promise<Check> {
    const address = await this.emails.findAddress(this.dataSource.manager);
    return {
      check: 'credentials',
      ...(address === null
        ? problem('No PayPal e-mail address is set, so customers can’t pay.')
        : ok(`Payments go to ${address}.`)),
    };
  }
}

const environmentNames = { sandbox: 'the sandbox', live: 'live payments' };

const ok = (sentence: string) => ({ state: 'ok', sentence }) as const;
const problem = (sentence: string) => ({ state: 'problem', sentence }) as const;
const unknown = (sentence: string) => ({ state: 'unknown', sentence }) as const;

/** A refusal is a `problem`. Without a usable answer the result is `unknown`. */
async function checkAtPaypal(
  check: Check['check'],
  find: () => Promise<Omit<Check, 'check'>>,
): Promise<Check> {
  try {
    return { check, ...(await find()) };
  } catch (error) {
    if (error instanceof PaypalRefusal) return { check, ...problem(`${error.message}.`) };
    if (error instanceof NoAnswerYet) return { check, ...unknown(`No usable answer: ${error.message}.`) };
    throw error;
  }
}

function checkEvents(subscribed: readonly string[]) {
  const missing = subscribed.includes('*') ? [] : neededEvents.filter((name) => !subscribed.includes(name));
  return missing.length === 0
    ? ok('The webhook is subscribed to all events that the site needs.')
    : problem(`The webhook is not subscribed to ${missing.join(', ')}. Add them, or choose “All events”.`);
}

function checkNotifications(last: Date | null): Check {
  return {
    check: 'notifications',
    ...(last === null
      ? unknown(
          'PayPal has not notified the site of a payment yet. The first notification comes with the first payment.',
        )
      : ok('PayPal has sent notifications.')),
  };
}
