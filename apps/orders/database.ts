import type { DatabaseOptions } from '#libs/database';
import type { OrdersConfig } from './config.js';
import { migrations } from './migrations/index.js';
import { OrderEntity } from './order/order.entity.js';
import { PaymentAttemptEntity } from './payment/attempt/payment-attempt.entity.js';
import { PaypalEmailEntity } from './paypal-email/paypal-email.entity.js';
import { OrderTimelineEntity } from './timeline/order-timeline.entity.js';

export function ordersDatabase(config: OrdersConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'orders',
    entities: [OrderEntity, OrderTimelineEntity, PaymentAttemptEntity, PaypalEmailEntity],
    migrations,
  };
}
