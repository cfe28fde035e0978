import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { CustomerModule } from '../customer/customer.module.js';
import { OrderModule } from '../order/order.module.js';
import { StaffNoteRepository } from './staff-note.repository.js';
import { StaffNoteService } from './staff-note.service.js';

@Module({
  imports: [CustomerModule, OrderModule],
  controllers: [controllerOf(StaffNoteService)],
  providers: [StaffNoteRepository, StaffNoteService],
  exports: [StaffNoteRepository],
})
export class NoteModule {}
