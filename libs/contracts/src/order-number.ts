import type { Order } from './order.contract.js';

/** What people call an order: `#1042`. An order without a number, which exists only during an upgrade, is called by the end of its id. */
export function orderNumber({ _id, number }: Pick<Order, '_id' | 'number'>): string {
  return `#${number ?? _id.slice(-8)}`;
}
