import type { PaymentProviderFacts } from './payment-provider.js';
import { paypalCheckoutFacts, simulatedApp } from './paypal-checkout.facts.js';
import { paypalFacts } from './paypal.facts.js';

export { paypalCheckoutFacts, paypalFacts, simulatedApp };

/** Every payment provider. */
export const paymentProviders = [
  paypalFacts,
  paypalCheckoutFacts,
] as const satisfies readonly PaymentProviderFacts[];

/** The provider whose label is shown in texts. The label is the same whichever of its products takes payments. */
export const paymentProvider: PaymentProviderFacts = paymentProviders[0];
