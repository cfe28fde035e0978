import { Module } from '@nestjs/common';
import { Clock } from '#libs/runtime';
import { controllerOf } from '#libs/transport';
import { ORDERS_CONFIG } from '../../config.module.js';
import { PaypalModule } from '../paypal/paypal.module.js';
import { BillingClockModule } from '../billing-clock.js';
import type { ProviderRegistration } from '../payment-provider.js';
import { PaypalApiClient } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.injection-token.js';
import { PaypalCheckoutProvider } from './paypal-checkout.provider.js';
import { PaypalConnectionRepository } from './paypal-connection.repository.js';
import { PaypalConnectionService } from './paypal-connection.service.js';
import { PaypalPlanEntity } from './paypal-plan.entity.js';
import { PaypalPlanRepository } from './paypal-plan.repository.js';
import { PaypalSubscriptionProvider } from './paypal-subscription.provider.js';
import {
  apiAppOf,
  apiOriginOf,
  checkPaypalCheckoutSettings,
  type PaypalCheckoutConfig,
  paypalCheckoutSettings,
  requestTimeoutOf,
} from './paypal-checkout.settings.js';

@Module({
  imports: [PaypalModule, BillingClockModule],
  controllers: [controllerOf(PaypalConnectionService)],
  providers: [
    {
      provide: PAYPAL_API,
      inject: [ORDERS_CONFIG, Clock],
      useFactory: (config: PaypalCheckoutConfig, clock: Clock) =>
        new PaypalApiClient({
          // Without a PayPal app, no new payment uses this client, and PayPal would accept none of its requests.
          ...(apiAppOf(config) ?? { clientId: '', clientSecret: '' }),
          origin: apiOriginOf(config),
          timeoutMs: requestTimeoutOf(config),
          clock,
        }),
    },
    ...[PaypalCheckoutProvider, PaypalConnectionRepository, PaypalConnectionService],
    ...[PaypalSubscriptionProvider, PaypalPlanRepository],
  ],
  exports: [PaypalCheckoutProvider],
})
class PaypalCheckoutModule {}

export const paypalCheckout = {
  settings: paypalCheckoutSettings,
  checkSettings: checkPaypalCheckoutSettings,
  module: PaypalCheckoutModule,
  provider: PaypalCheckoutProvider,
  entities: [PaypalPlanEntity],
} satisfies ProviderRegistration<typeof paypalCheckoutSettings>;
