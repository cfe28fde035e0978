import type { DatabaseOptions } from '#libs/database';
import type { DatabaseConfig } from '#libs/platform';
import { BillingDetailsEntity } from './billing-details/billing-details.entity.js';
import { BillingMemberEntity } from './billing-member/billing-member.entity.js';
import { CustomerEntity } from './customer/customer.entity.js';
import { InvoiceEntity } from './invoice/invoice.entity.js';
import { InvoiceTaskEntity } from './invoice-task/invoice-task.entity.js';
import { InvoiceSettingsEntity } from './invoice-settings/invoice-settings.entity.js';
import { migrations } from './migrations/index.js';
import { StaffNoteEntity } from './note/staff-note.entity.js';
import { OrderEntity } from './order/order.entity.js';
import { PaymentAttemptEntity } from './payment/attempt/payment-attempt.entity.js';
import { PaymentRefundEntity } from './payment/refund/payment-refund.entity.js';
import { providerRegistrations } from './payment/payment-providers.js';
import { SubscriptionEntity } from './subscription/subscription.entity.js';
import { SubscriptionEntryEntity } from './subscription/subscription-entry.entity.js';
import { VatIdCheckEntity } from './tax/vat-id-check.entity.js';
import { OrderTimelineEntryEntity } from './timeline/order-timeline-entry.entity.js';

export function ordersDatabase(config: DatabaseConfig): DatabaseOptions {
  const providerEntities = providerRegistrations.flatMap<DatabaseOptions['entities'][number]>(
    ({ entities }) => [...entities],
  );
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    migrationsAtStart: config.DATABASE_MIGRATIONS,
    applicationName: 'orders',
    entities: [
      BillingDetailsEntity,
      BillingMemberEntity,
      CustomerEntity,
      InvoiceSettingsEntity,
      OrderEntity,
      OrderTimelineEntryEntity,
      VatIdCheckEntity,
      StaffNoteEntity,
      PaymentAttemptEntity,
      PaymentRefundEntity,
      SubscriptionEntity,
      SubscriptionEntryEntity,
      InvoiceEntity,
      InvoiceTaskEntity,
      ...providerEntities,
    ],
    migrations,
  };
}
