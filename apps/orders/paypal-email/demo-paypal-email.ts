import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { uuidv7 } from '#libs/database';
import { ORDERS_CONFIG, type OrdersConfig } from '../config.js';

/** Takes no money: the simulator opens an account for whatever address is paid to. */
const demoAddress = 'payments@northrank.example';

/** On a demo site Pay Now works from the first start. Never where money is real: there an admin says where it goes. */
@Injectable()
export class DemoPaypalEmail implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(ORDERS_CONFIG) private readonly config: OrdersConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { SEED, PAYPAL_MODE } = this.config;
    if (SEED === 'none' || PAYPAL_MODE !== 'simulator') return;
    await this.dataSource.query(
      `INSERT INTO paypal_email (id, paypal_email, version, created_at, updated_at) VALUES ($1, $2, 1, now(), now())
       ON CONFLICT DO NOTHING`,
      [uuidv7(), demoAddress],
    );
  }
}
