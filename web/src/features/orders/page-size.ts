/** Rows per page on /my-order and /pending-order, as the product's specification says. */
export const ordersPageSize = 5;
