/** On /my-order and /pending-order, as the specification says. */
export const ordersPageSize = 5;
