import type { PaymentProviderFacts } from './payment-provider.js';
import { paypalCheckoutFacts, simulatedApp } from './paypal-checkout.facts.js';
import { paypalFacts } from './paypal.facts.js';

export { paypalCheckoutFacts, paypalFacts, simulatedApp };

export const paymentProviders = [
  paypalFacts,
  paypalCheckoutFacts,
] as const satisfies readonly PaymentProviderFacts[];

/** Texts show its label. All providers have the same one, because they are products of one company. */
export const paymentProvider: PaymentProviderFacts = paymentProviders[0];
