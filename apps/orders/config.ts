import { z } from 'zod';
import { paypalModes } from '#libs/contracts';
import { loadConfig, serviceSettings, setting } from '#libs/platform';
import type { PaymentSettings } from './payment/payment-settings.js';
import { paypalEndpoints } from './payment/paypal/paypal-endpoints.js';
import type { PaypalOptions } from './payment/paypal/paypal.provider.js';

const webAddress = () => setting.url(['http', 'https']);
const withoutTrailingSlash = (text: string) => text.replace(/(?<!\/)\/+$/, '');
const seconds = (min: number) => setting.integer(min, 30 * 24 * 60 * 60);

const paypalSettings = {
  /** `demo` gives the simulated shop an address to be paid at. */
  SEED: setting.choice(['demo', 'none']).default('none'),
  /** The site's address as others see it: where PayPal sends notices, and buyers back. */
  PUBLIC_URL: webAddress().transform(withoutTrailingSlash),
  PAYPAL_MODE: setting.choice(paypalModes).default('simulator'),
  /** Needed in simulator mode, and looked at in no other. */
  PAYPAL_SIMULATOR_URL: webAddress().transform(withoutTrailingSlash).optional(),
  /** The identity token of payment data transfer; without it a returning buyer waits for the notice. */
  PAYPAL_PDT_TOKEN: setting.text().optional(),
  /** How long PayPal may take to confirm a notice, in milliseconds. */
  PAYPAL_TIMEOUT_MS: setting.integer(100, 60_000).default(15_000),
};

const patience = {
  /** Notices that may wait for a decision; more are refused, and PayPal repeats them. */
  NOTICE_BACKLOG: setting.integer(2, 1_000_000).default(5_000),
  /** Pauses between questions about one notice: the first, doubling, and the longest, in milliseconds. */
  NOTICE_RETRY_MS: setting.integer(10, 3_600_000).default(2_000),
  NOTICE_RETRY_LONGEST_MS: setting.integer(10, 86_400_000).default(600_000),
  /** How long PayPal is asked again about a notice that it called INVALID. */
  NOTICE_REFUSED_SECONDS: seconds(1).default(24 * 60 * 60),
  /** After how long an order is flagged whose notice is not verified. */
  NOTICE_ALERT_SECONDS: seconds(1).default(2 * 60 * 60),
  /** After how long a payment is reported that was started and of which nothing was heard. */
  PAYMENT_OUTCOME_SECONDS: seconds(1).default(60 * 60),
  PAYMENT_RECONCILE_SECONDS: seconds(1).default(60),
  /** How long the bytes of notices are kept, which name the buyers. */
  NOTICE_KEEP_DAYS: setting.integer(1, 3_650).default(180),
};

export const ordersSettings = z
  .object({ ...serviceSettings, ...paypalSettings, ...patience })
  .superRefine(({ PAYPAL_MODE, PAYPAL_SIMULATOR_URL, PUBLIC_URL }, context) => {
    if (PAYPAL_MODE === 'simulator' && PAYPAL_SIMULATOR_URL === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['PAYPAL_SIMULATOR_URL'],
        message: 'is missing: PAYPAL_MODE is simulator',
      });
    }
    if (PAYPAL_MODE === 'live' && !PUBLIC_URL.startsWith('https:')) {
      const message = 'must be an https address: PAYPAL_MODE is live';
      context.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message });
    }
  });

export type OrdersConfig = z.output<typeof ordersSettings>;

/** Nest's token for the configuration. */
export const ORDERS_CONFIG = Symbol('orders config');

/** Exits with one line per bad setting. */
export const readOrdersConfig = (): OrdersConfig => loadConfig(ordersSettings, process.env);

export function paypalOptions(config: OrdersConfig): PaypalOptions {
  return {
    endpoints: paypalEndpoints(config.PAYPAL_MODE, config.PAYPAL_SIMULATOR_URL),
    publicUrl: config.PUBLIC_URL,
    pdtToken: config.PAYPAL_PDT_TOKEN,
    postbackTimeoutMs: config.PAYPAL_TIMEOUT_MS,
  };
}

export function paymentSettings(config: OrdersConfig): PaymentSettings {
  return {
    backlog: config.NOTICE_BACKLOG,
    attemptBacklog: 200,
    concurrency: 8,
    leaseMs: 6_000,
    pollMs: 1_000,
    firstRetryMs: config.NOTICE_RETRY_MS,
    longestRetryMs: config.NOTICE_RETRY_LONGEST_MS,
    undecidedForMs: config.NOTICE_REFUSED_SECONDS * 1000,
    // INVALID is almost always meant: seldom enough that forged notifications cost little, often enough for a day.
    refusedLongestRetryMs: config.NOTICE_RETRY_LONGEST_MS * 6,
    refusedKept: 20,
    alertAfterMs: config.NOTICE_ALERT_SECONDS * 1000,
    outcomeAfterMs: config.PAYMENT_OUTCOME_SECONDS * 1000,
    reconcileEveryMs: config.PAYMENT_RECONCILE_SECONDS * 1000,
    keepNoticesMs: config.NOTICE_KEEP_DAYS * 24 * 60 * 60 * 1000,
  };
}
