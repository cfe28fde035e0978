import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { BillingDetailsModule } from '../billing-details/billing-details.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { NoteModule } from '../note/note.module.js';
import { OrderModule } from '../order/order.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { BillingClockModule } from '../payment/billing-clock.js';
import { SubscriptionModule } from '../subscription/subscription.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { DeletedAccountService } from './deleted-account.service.js';

@Module({
  imports: [
    ...[BillingClockModule, BillingDetailsModule, CustomerModule, NoteModule, OrderModule],
    ...[PaymentModule, SubscriptionModule, TimelineModule, TotalsModule],
  ],
  controllers: [controllerOf(DeletedAccountService)],
  providers: [
    DeletedAccountService,
    repeatedWork(
      DeletedAccountService,
      60_000,
      (accounts) => accounts.sweep(),
      'Removing personal data of deleted accounts failed',
    ),
  ],
})
export class DeletedAccountModule {}
