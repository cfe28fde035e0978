import type { Order } from './order.contract.js';

/** `#1042`. During an upgrade, an order may have no number; then the end of its id stands in. */
export function formatOrderNumber({ _id, number }: Pick<Order, '_id' | 'number'>): string {
  return `#${number ?? _id.slice(-8)}`;
}
