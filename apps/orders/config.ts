import { z } from 'zod';
import { fileStorageSettings, requireBucketKeys } from '#libs/file-storage';
import { loadConfig, serviceSettings, setting } from '#libs/platform';
import { paymentEnvironment } from './payment/payment-settings.js';
import { subscriptionEnvironment } from './subscription/subscription-settings.js';
import { taxEnvironment } from './tax/tax-settings.js';
import { providerRegistrations } from './payment/payment-providers.js';

type Registration = (typeof providerRegistrations)[number];
/** `A & B` for `A | B`. */
type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

const providerSettings = Object.assign(
  {},
  ...providerRegistrations.map(({ settings }) => settings),
) as Intersection<Registration['settings']>;

export const ordersSettings = z
  .object({
    ...serviceSettings,
    ...fileStorageSettings,
    /** With simulated payments, `demo` sets the e-mail address to which customers pay, if none is set yet. */
    SEED: setting.choice(['demo', 'none']).default('none'),
    /** The site's public address, for payment notifications and for the buyer's return. */
    PUBLIC_URL: setting.httpUrl(),
    ...providerSettings,
    ...paymentEnvironment,
    ...subscriptionEnvironment,
    ...taxEnvironment,
  })
  .superRefine((config, context) => {
    requireBucketKeys(config, context);
    for (const registration of providerRegistrations)
      if ('checkSettings' in registration) registration.checkSettings(config, context);
  });

export type OrdersConfig = z.output<typeof ordersSettings>;

/** If settings are invalid, prints a line for each of them, and exits. */
export const readOrdersConfig = (): OrdersConfig => loadConfig(ordersSettings, process.env);
