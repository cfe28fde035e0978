import type { PaymentProviderFacts } from './payment-provider.js';
import { paypalFacts } from './paypal.facts.js';

export { paypalFacts };

/** Every payment provider. The first one takes new payments. */
export const paymentProviders = [paypalFacts] as const satisfies readonly PaymentProviderFacts[];

/** The provider that takes new payments. */
export const paymentProvider: PaymentProviderFacts = paymentProviders[0];
