import { paypal } from './paypal/paypal.module.js';

/** Every payment provider, in the order of `paymentProviders` in libs/contracts. */
export const registeredProviders = [paypal] as const;
