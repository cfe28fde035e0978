import type { Order, PaymentHold } from '#libs/contracts';
import { localDate } from './order-date.js';
import { isPayable } from './order-payment.js';
import type { OrderEntity } from './order.entity.js';
import { dollarsOf } from '../money/price.js';

/** Who reads an order; flags are for admins. */
export type Reader = 'customer' | 'admin';

/** Without what the database makes. */
export type StoredOrder = Omit<OrderEntity, 'nameSorted' | 'searchText'>;

/** An order as it is answered. */
export function orderView(order: StoredOrder, reader: Reader, hold: PaymentHold | null): Order {
  return {
    _id: order.id,
    orderDate: localDate(order.orderDate),
    customerName: order.customerName,
    customerEmail: order.customerEmail,
    customerAddress: order.customerAddress,
    customerCountry: order.customerCountry,
    packageName: order.packageName,
    packagePrice: order.packagePrice,
    paymentStatus: order.paymentStatus,
    orderStatus: order.orderStatus,
    paymentState: order.paymentState,
    payments: order.payments,
    refunded: dollarsOf(order.refundedCents),
    disputed: dollarsOf(order.disputedCents),
    paidTwice: order.paidTwice,
    cancelledBy: order.cancelledBy,
    paymentHold: hold,
    payable: isPayable({ ...order, hold }),
    flags: reader === 'admin' ? order.flags : [],
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
    version: order.version,
  };
}
