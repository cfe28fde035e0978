import type { DatabaseOptions } from '#libs/database';
import type { OrdersConfig } from './config.js';
import { migrations } from './migrations/index.js';

export function ordersDatabase(config: OrdersConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'orders',
    entities: [],
    migrations,
  };
}
