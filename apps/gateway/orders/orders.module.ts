import { Module } from '@nestjs/common';
import { orderOperations } from '#libs/contracts';
import { relays } from '../routing/serves.js';
import { OrderController } from './order.controller.js';

@Module({ controllers: [relays(orderOperations), OrderController] })
export class OrdersModule {}
