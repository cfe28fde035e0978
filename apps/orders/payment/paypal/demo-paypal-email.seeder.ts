import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ORDERS_CONFIG } from '../../config.module.js';
import { PaypalEmailService } from './paypal-email.service.js';
import type { PaypalConfig } from './paypal.settings.js';

/** No real account has this address. The simulator creates an account for every address that is paid. */
const demoAddress = 'payments@northrank.example';

/** Makes Pay Now work on a demo site from the first start. Only in simulator mode. */
@Injectable()
export class DemoPaypalEmailSeeder implements OnApplicationBootstrap {
  constructor(
    private readonly emails: PaypalEmailService,
    @Inject(ORDERS_CONFIG) private readonly config: PaypalConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { SEED, PAYPAL_MODE } = this.config;
    if (SEED === 'demo' && PAYPAL_MODE === 'simulator') await this.emails.addUnlessSet(demoAddress);
  }
}
