import type { PaymentProvider } from './payment-provider.js';
import { paypalCheckout } from './paypal-checkout/paypal-checkout.module.js';
import { paypal } from './paypal/paypal.module.js';

/** The registration of every payment provider. The first one that is configured takes the new payments of orders that are paid once. */
export const registeredProviders = [paypalCheckout, paypal] as const;

/** The payment providers by name. */
export class PaymentProviders {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(private readonly providers: readonly PaymentProvider[]) {
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** The provider that takes the new payments of orders that are paid once. */
  get current(): PaymentProvider {
    const configured = this.providers.find(({ isConfigured }) => isConfigured);
    if (!configured) throw new Error('No payment provider is configured');
    return configured;
  }

  /** The provider that takes payments of new plans that renew; undefined if there is none. */
  get renewing(): PaymentProvider | undefined {
    return this.providers.find(({ renews }) => renews);
  }

  get(name: string): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`There is no payment provider named ${name}`);
    return provider;
  }
}
