import { paymentProvider } from '#libs/contracts';
import type { PaymentProvider } from './payment-provider.js';
import { paypal } from './paypal/paypal.module.js';

/** The registration of every payment provider. */
export const registeredProviders = [paypal] as const;

/** The payment providers by name. */
export class PaymentProviders {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(providers: readonly PaymentProvider[]) {
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** The provider that takes new payments. */
  get current(): PaymentProvider {
    return this.get(paymentProvider.name);
  }

  get(name: string): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`There is no payment provider named ${name}`);
    return provider;
  }
}
