import { z } from 'zod';
import { simulatedApp } from '#libs/contracts';
import { setting } from '#libs/platform';
import { type PaypalConfig as PaypalStandardConfig, paypalSettings } from '../paypal/paypal.settings.js';

/** The app's page in PayPal's developer dashboard shows them. All three are set or none. */
const credentials = {
  PAYPAL_CLIENT_ID: setting.text().optional(),
  PAYPAL_CLIENT_SECRET: setting.text().optional(),
  PAYPAL_WEBHOOK_ID: setting.text().optional(),
};

export const paypalCheckoutSettings = {
  PAYPAL_MODE: paypalSettings.PAYPAL_MODE,
  PAYPAL_SIMULATOR_URL: paypalSettings.PAYPAL_SIMULATOR_URL,
  PAYPAL_TIMEOUT_MS: paypalSettings.PAYPAL_TIMEOUT_MS,
  ...credentials,
};
export type PaypalCheckoutConfig = PaypalStandardConfig & z.output<z.ZodObject<typeof credentials>>;

export function checkPaypalCheckoutSettings(config: PaypalCheckoutConfig, context: z.RefinementCtx): void {
  const names = Object.keys(credentials) as (keyof typeof credentials)[];
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === names.length) return;
  for (const name of missing) {
    const others = names.filter((other) => !missing.includes(other)).join(' and ');
    context.addIssue({ code: 'custom', path: [name], message: `is required together with ${others}` });
  }
}

export interface PaypalApp {
  clientId: string;
  clientSecret: string;
  webhookId: string;
}

/** Undefined without credentials. Orders that are paid once then use Payments Standard. */
export function paypalAppOf(config: PaypalCheckoutConfig): PaypalApp | undefined {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret } = config;
  const { PAYPAL_WEBHOOK_ID: webhookId } = config;
  return clientId !== undefined && clientSecret !== undefined && webhookId !== undefined
    ? { clientId, clientSecret, webhookId }
    : undefined;
}

/** The app that makes all calls of the REST API. The simulator always has one, so that subscriptions work without credentials. */
export function apiAppOf(config: PaypalCheckoutConfig): PaypalApp | undefined {
  return paypalAppOf(config) ?? (config.PAYPAL_MODE === 'simulator' ? simulatedApp : undefined);
}

/** Where buyers change how they pay for a subscription. */
const paymentMethodUrls = {
  sandbox: 'https://www.sandbox.paypal.com/myaccount/autopay/',
  live: 'https://www.paypal.com/myaccount/autopay/',
};

export function paymentMethodUrlOf({
  PAYPAL_MODE: mode,
  PAYPAL_SIMULATOR_URL: simulator,
}: PaypalCheckoutConfig): string {
  return mode === 'simulator' ? `${simulator!}/myaccount/autopay` : paymentMethodUrls[mode];
}

/** Even if PAYPAL_TIMEOUT_MS is higher: buyers wait, and the gateway waits only ten seconds for our answer. */
const longestRequestMs = 8_000;

export function requestTimeoutOf({ PAYPAL_TIMEOUT_MS: timeoutMs }: PaypalCheckoutConfig): number {
  return Math.min(timeoutMs, longestRequestMs);
}

/** From https://developer.paypal.com/api/rest/requests/. */
const apiOrigins = { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' };

export function apiOriginOf({ PAYPAL_MODE: mode, PAYPAL_SIMULATOR_URL: simulator }: PaypalCheckoutConfig) {
  return mode === 'simulator' ? simulator! : apiOrigins[mode];
}

/** The environment whose credentials somebody may have set by mistake. */
export function otherEnvironmentOf({ PAYPAL_MODE: mode }: PaypalCheckoutConfig) {
  if (mode === 'simulator') return undefined;
  const other = mode === 'live' ? ('sandbox' as const) : ('live' as const);
  return { mode: other, origin: apiOrigins[other] };
}
