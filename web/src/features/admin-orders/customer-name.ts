import type { Order } from '#libs/contracts';

/** The name of a deleted account is empty. */
export const customerNameOf = ({ customerName }: Pick<Order, 'customerName'>): string =>
  customerName || 'Deleted account';
