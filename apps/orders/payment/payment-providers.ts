import type { PaymentProvider } from './payment-provider.js';
import { paypalCheckout } from './paypal-checkout/paypal-checkout.module.js';
import { paypal } from './paypal/paypal.module.js';

/** The first provider that is configured takes the new payments of orders that are paid once. */
export const providerRegistrations = [paypalCheckout, paypal] as const;

export class PaymentProviders {
  private readonly byName: ReadonlyMap<string, PaymentProvider>;

  constructor(private readonly providers: readonly PaymentProvider[]) {
    this.byName = new Map(providers.map((provider) => [provider.name, provider]));
  }

  /** Takes new payments of orders that are paid once. */
  get forSinglePayments(): PaymentProvider {
    const configured = this.providers.find(({ isConfigured }) => isConfigured);
    if (!configured) throw new Error('No payment provider is configured');
    return configured;
  }

  /** Takes new monthly plans. */
  get forPlans(): PaymentProvider | undefined {
    return this.providers.find(({ canChargePlans }) => canChargePlans);
  }

  get(name: string): PaymentProvider {
    const provider = this.byName.get(name);
    if (!provider) throw new Error(`There is no payment provider named ${name}`);
    return provider;
  }
}
