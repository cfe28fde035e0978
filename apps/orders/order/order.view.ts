import type { Order, PaymentHold } from '#libs/contracts';
import type { RecordRelation } from '../access/person.js';
import { taxOnNet } from '../money/tax.js';
import { dollarsOf } from '../money/price.js';
import { usDate } from './order-date.js';
import type { OrderEntity } from './order.entity.js';
import { isPayable } from './order-payment.js';

/** Names an order without its customer, for the audit log, which outlives accounts. */
export function orderName({
  number,
  packageName,
  orderDate,
}: Pick<OrderEntity, 'number' | 'packageName' | 'orderDate'>): string {
  return `#${number}, ${packageName}, ${usDate(orderDate)}`;
}

export function orderView(order: OrderEntity, relation: RecordRelation, hold: PaymentHold | null): Order {
  return {
    _id: order.id,
    number: order.number,
    accountId: order.accountId,
    orderDate: usDate(order.orderDate),
    customerName: order.customerName,
    customerEmail: order.customerEmail,
    customerAddress: order.customerAddress,
    customerCountry: order.customerCountry,
    packageName: order.packageName,
    packagePrice: order.packagePrice,
    addedTax: dollarsOf(taxOnNet(order.priceCents, order.addedTaxRate)),
    addedTaxRate: order.addedTaxRate,
    billingDetails: order.billing,
    paymentStatus: order.paymentStatus,
    orderStatus: order.orderStatus,
    paymentState: order.paymentState,
    payments: order.payments,
    refunded: dollarsOf(order.refundedCents),
    disputed: dollarsOf(order.disputedCents),
    paidTwice: order.paidTwice,
    cancelledBy: order.cancelledBy,
    seller: order.seller,
    renewal: order.cycle === null ? null : { cycle: order.cycle, subscriptionId: order.subscriptionId },
    paymentHold: hold,
    payable: isPayable({ ...order, hold }),
    flags: relation === 'admin' ? order.flags : [],
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
    version: order.version,
  };
}
