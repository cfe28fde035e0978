import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { ORDERS_CONFIG } from '../../config.module.js';
import { PaypalModule } from '../paypal/paypal.module.js';
import type { ProviderRegistration } from '../payment-provider.js';
import { PaypalApiClient } from './paypal-api.client.js';
import { PAYPAL_API } from './paypal-api.token.js';
import { PaypalCheckoutProvider } from './paypal-checkout.provider.js';
import { PaypalConnectionRepository } from './paypal-connection.repository.js';
import { PaypalConnectionService } from './paypal-connection.service.js';
import {
  apiOriginOf,
  callTimeoutOf,
  checkPaypalCheckoutSettings,
  paypalAppOf,
  type PaypalCheckoutConfig,
  paypalCheckoutSettings,
} from './paypal-checkout.settings.js';

@Module({
  imports: [PaypalModule],
  controllers: [controllerOf(PaypalConnectionService)],
  providers: [
    {
      provide: PAYPAL_API,
      inject: [ORDERS_CONFIG],
      useFactory: (config: PaypalCheckoutConfig) =>
        new PaypalApiClient({
          ...(paypalAppOf(config) ?? { clientId: '', clientSecret: '' }),
          origin: apiOriginOf(config),
          timeoutMs: callTimeoutOf(config),
        }),
    },
    ...[PaypalCheckoutProvider, PaypalConnectionRepository, PaypalConnectionService],
  ],
  exports: [PaypalCheckoutProvider],
})
class PaypalCheckoutModule {}

export const paypalCheckout = {
  settings: paypalCheckoutSettings,
  checkSettings: checkPaypalCheckoutSettings,
  module: PaypalCheckoutModule,
  provider: PaypalCheckoutProvider,
  entities: [],
} satisfies ProviderRegistration<typeof paypalCheckoutSettings>;
