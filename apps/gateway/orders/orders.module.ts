import { Module } from '@nestjs/common';
import { CsvModule } from '../csv/csv.module.js';
import { orderOperations } from '#libs/contracts';
import { relays } from '../routing/serves.js';
import { OrderController } from './order.controller.js';

@Module({ imports: [CsvModule], controllers: [relays(orderOperations), OrderController] })
export class OrdersModule {}
