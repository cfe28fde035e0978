import { z } from 'zod';
import { paypalDefinition } from '#libs/contracts';
import { setting } from '#libs/platform';
import type { SharedSettings } from '../payment-provider.js';

/** `simulator` is the local stand-in; `sandbox` is PayPal's environment for tests. */
const paypalModes = ['simulator', 'sandbox', 'live'] as const;
export type PaypalMode = (typeof paypalModes)[number];

export const paypalSettings = {
  PAYPAL_MODE: setting.choice(paypalModes).default('simulator'),
  /** Required in simulator mode, and ignored in every other. */
  PAYPAL_SIMULATOR_URL: setting.httpUrl().optional(),
  /** The identity token of payment data transfer. Without it, a returning buyer waits for the notification. */
  PAYPAL_PDT_TOKEN: setting.text().optional(),
  /** In milliseconds. For the REST API, more than eight seconds count as eight. Payment data transfer always gets five. */
  PAYPAL_TIMEOUT_MS: setting.integer(100, 60_000).default(15_000),
};
export type PaypalConfig = z.output<z.ZodObject<typeof paypalSettings>> & SharedSettings;

export function checkPaypalSettings(config: PaypalConfig, context: z.RefinementCtx): void {
  const { PAYPAL_MODE, PAYPAL_SIMULATOR_URL, PUBLIC_URL } = config;
  if (PAYPAL_MODE === 'simulator' && PAYPAL_SIMULATOR_URL === undefined) {
    const message = 'is missing: PAYPAL_MODE is simulator';
    context.addIssue({ code: 'custom', path: ['PAYPAL_SIMULATOR_URL'], message });
  }
  if (PAYPAL_MODE === 'live' && !PUBLIC_URL.startsWith('https:')) {
    const message = 'must be an https address: PAYPAL_MODE is live';
    context.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message });
  }
}

/** These addresses depend only on the settings, so a notification cannot choose who verifies it. */
export interface PaypalEndpoints {
  /** Takes the buyer's form. */
  checkoutUrl: string;
  /** Verifies notifications (https://developer.paypal.com/api/nvp-soap/ipn/IPNImplementation/). */
  verifyUrl: string;
  /** Answers `_notify-synch` (payment data transfer). */
  lookUpUrl: string;
}

const verifyOrigins = { live: 'https://ipnpb.paypal.com', sandbox: 'https://ipnpb.sandbox.paypal.com' };

export function paypalEndpoints({ PAYPAL_MODE: mode, PAYPAL_SIMULATOR_URL }: PaypalConfig): PaypalEndpoints {
  const at = (origin: string) => `${origin}/cgi-bin/webscr`;
  if (mode === 'simulator') {
    const simulatorUrl = at(PAYPAL_SIMULATOR_URL!);
    return { checkoutUrl: simulatorUrl, verifyUrl: simulatorUrl, lookUpUrl: simulatorUrl };
  }
  const checkoutUrl = at(paypalDefinition.checkoutOrigins[mode]);
  return { checkoutUrl, verifyUrl: at(verifyOrigins[mode]), lookUpUrl: checkoutUrl };
}
