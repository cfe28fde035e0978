import { Module } from '@nestjs/common';
import { CsvModule } from '../csv/csv.module.js';
import {
  billingDetailsOperations,
  customerOperations,
  invoiceOperations,
  orderOperations,
  planSubscriptionOperations,
} from '#libs/contracts';
import { GATEWAY_CONFIG } from '../config.js';
import { INVOICE_STORAGE, createInvoiceStorage } from '#libs/file-storage';
import { relayControllerOf } from '../routing/serves.js';
import { InvoiceController } from './invoice.controller.js';
import { CustomerController } from './customer.controller.js';
import { OrderController } from './order.controller.js';
import { PlanSubscriptionController } from './plan-subscription.controller.js';

@Module({
  imports: [CsvModule],
  controllers: [
    ...[relayControllerOf(orderOperations), OrderController],
    ...[relayControllerOf(customerOperations), CustomerController],
    relayControllerOf(billingDetailsOperations),
    ...[relayControllerOf(planSubscriptionOperations), PlanSubscriptionController],
    ...[relayControllerOf(invoiceOperations), InvoiceController],
  ],
  providers: [{ provide: INVOICE_STORAGE, inject: [GATEWAY_CONFIG], useFactory: createInvoiceStorage }],
})
export class OrdersModule {}
