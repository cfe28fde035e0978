import { Injectable } from '@nestjs/common';
import type { OrdersSummary, OrderStatus, PaymentStatus } from '#libs/contracts';
import { dollarsOf } from '../money/price.js';
import { OrderTotalsRepository, type StatusTotals, type TotalsFilter } from './order-totals.repository.js';

@Injectable()
export class OrderTotalsService {
  constructor(private readonly totals: OrderTotalsRepository) {}

  async count(filter: TotalsFilter): Promise<number> {
    return sum(await this.totals.byStatus(filter), 'orders');
  }

  async summary(accountIds?: readonly string[]): Promise<OrdersSummary> {
    const all = await this.totals.byStatus(accountIds ? { accountIds } : {});
    const withPayment = (status: PaymentStatus) =>
      all.filter(({ paymentStatus }) => paymentStatus === status);
    const withStatus = (status: OrderStatus) => all.filter(({ orderStatus }) => orderStatus === status);
    const flagged = all.filter((totals) => totals.flagged);
    return {
      orders: sum(all, 'orders'),
      totalSales: dollarsOf(sum(withPayment('Paid'), 'priceCents')),
      refunded: dollarsOf(sum(all, 'refundedCents')),
      byPaymentStatus: {
        UnPaid: sum(withPayment('UnPaid'), 'orders'),
        Paid: sum(withPayment('Paid'), 'orders'),
        Cancelled: sum(withPayment('Cancelled'), 'orders'),
      },
      byOrderStatus: {
        Pending: sum(withStatus('Pending'), 'orders'),
        Delivered: sum(withStatus('Delivered'), 'orders'),
      },
      flagged: sum(flagged, 'orders'),
    };
  }
}

function sum(all: readonly StatusTotals[], property: 'orders' | 'priceCents' | 'refundedCents'): number {
  return all.reduce((total, totals) => total + totals[property], 0);
}
