import type { PaymentProviderFacts } from './payment-provider.js';
import { paypalCheckoutFacts, simulatedApp } from './paypal-checkout.facts.js';
import { paypalFacts } from './paypal.facts.js';

export { paypalCheckoutFacts, paypalFacts, simulatedApp };

export const paymentProviders = [
  paypalFacts,
  paypalCheckoutFacts,
] as const satisfies readonly PaymentProviderFacts[];

/** The provider whose label is shown in texts. All of them have the same label, because they are products of one company. */
export const paymentProvider: PaymentProviderFacts = paymentProviders[0];
