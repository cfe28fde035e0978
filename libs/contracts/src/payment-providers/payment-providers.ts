import type { PaymentProviderDefinition } from './payment-provider.js';
import { paypalCheckoutDefinition, simulatedApp } from './paypal-checkout.definition.js';
import { paypalDefinition } from './paypal.definition.js';

export { paypalCheckoutDefinition, paypalDefinition, simulatedApp };

export const paymentProviders = [
  paypalDefinition,
  paypalCheckoutDefinition,
] as const satisfies readonly PaymentProviderDefinition[];

/** Texts show its label. All providers have the same one, because they are products of one company. */
export const paymentProvider: PaymentProviderDefinition = paymentProviders[0];
