import { z } from 'zod';
import { query } from '../contract.js';
import { grouped, relay, relayedIn } from '../operation.js';
import { adminsOnly } from '../policy.js';

const connectionCheck = z.object({
  /**
   * `credentials`: PayPal accepts the app's credentials; for Payments Standard, an e-mail address is set. `webhook`: the webhook has this site's
   * address. `events`: the webhook is subscribed to all events that the site needs. `disputes`: the app may read disputes. `clock`: the server's
   * clock agrees with PayPal's. `notifications`: a notification about one of our payment attempts has come.
   */
  check: z.enum(['credentials', 'webhook', 'events', 'disputes', 'clock', 'notifications']),
  /** `unknown`: PayPal gave no usable answer, or nothing has happened yet from which the site could tell. */
  state: z.enum(['ok', 'problem', 'unknown']),
  /** What was found, and what to do about a problem. */
  sentence: z.string(),
});
export type PaypalConnectionCheck = z.infer<typeof connectionCheck>;

/** `checkout`: PayPal Checkout, which has a REST API. `standard`: Payments Standard, which needs only an e-mail address. */
const product = z.enum(['standard', 'checkout']);

const paypalConnection = z.object({
  product,
  mode: z.enum(['simulator', 'sandbox', 'live']),
  /** With PayPal Checkout, the webhook must have this address. */
  notificationUrl: z.string(),
  /** Of the last genuine notification about one of our payment attempts. */
  lastNotificationAt: z.string().nullable(),
  checks: z.array(connectionCheck),
});
export type PaypalConnection = z.infer<typeof paypalConnection>;

const group = 'PayPal connection';
export const paypalConnectionGroupDescriptions = {
  [group]: 'Which of PayPal’s products takes payments, and whether its settings work.',
};

export const paypalConnectionOperations = grouped(group, {
  getPaypalConnection: relay({
    at: 'GET /paypal-connection',
    pattern: 'orders.paypalConnection',
    summary: 'Which of PayPal’s products takes payments, and whether its settings work; asks PayPal',
    policy: adminsOnly,
    answer: paypalConnection.meta({ id: 'PaypalConnection' }),
  }),
});

export const paypalConnectionContract = {
  ...relayedIn(paypalConnectionOperations),
  /** Only gateways of the previous version call this. */
  paypalProduct: query({
    pattern: 'orders.paypalProduct',
    access: 'admin',
    input: z.object({}),
    output: z.object({ product }),
  }),
} as const;
