import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import type { ProviderRegistration } from '../payment-provider.js';
import { DemoPaypalEmailSeeder } from './demo-paypal-email.seeder.js';
import { PaypalEmailEntity } from './paypal-email.entity.js';
import { PaypalEmailRepository } from './paypal-email.repository.js';
import { PaypalEmailService } from './paypal-email.service.js';
import { PaypalProvider } from './paypal.provider.js';
import { checkPaypalSettings, paypalSettings } from './paypal.settings.js';

@Module({
  controllers: [controllerOf(PaypalEmailService)],
  providers: [PaypalEmailRepository, PaypalEmailService, DemoPaypalEmailSeeder, PaypalProvider],
  exports: [PaypalProvider, PaypalEmailService],
})
export class PaypalModule {}

export const paypal = {
  settings: paypalSettings,
  checkSettings: checkPaypalSettings,
  module: PaypalModule,
  provider: PaypalProvider,
  entities: [PaypalEmailEntity],
} satisfies ProviderRegistration<typeof paypalSettings>;
