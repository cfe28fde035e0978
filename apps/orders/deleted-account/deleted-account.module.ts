import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { OrderModule } from '../order/order.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { DeletedAccountService } from './deleted-account.service.js';
import { DeletedAccountWorker } from './deleted-account.worker.js';

@Module({
  imports: [OrderModule, PaymentModule, TimelineModule],
  controllers: [controllerOf(DeletedAccountService)],
  providers: [DeletedAccountService, DeletedAccountWorker],
})
export class DeletedAccountModule {}
