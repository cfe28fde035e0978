/** Rows of a page on /my-order and /pending-order, as documented. */
export const ordersPageSize = 5;
