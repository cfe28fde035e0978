/** Orders on a page of /my-order and /pending-order, of the specification. */
export const ordersPageSize = 5;
