import { Module } from '@nestjs/common';
import { OrderModule } from '../order/order.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { DeletedAccountController } from './deleted-account.controller.js';
import { DeletedAccountService } from './deleted-account.service.js';
import { DeletedAccountWorker } from './deleted-account.worker.js';

@Module({
  imports: [OrderModule, PaymentModule, TimelineModule],
  controllers: [DeletedAccountController],
  providers: [DeletedAccountService, DeletedAccountWorker],
})
export class DeletedAccountModule {}
