import { Session, testStack } from '#libs/testing';
import { getPackage, placeOrder } from './person.js';

const { url, admin } = testStack();

export async function placeOrdersAndListScreens(customer: Session): Promise<string[]> {
  const adminApi = await Session.signIn(url, admin);
  const paid = await placeOrder(customer);
  const cancelled = await placeOrder(customer, 'Premium');
  const unpaid = await placeOrder(customer, 'Standard');
  await adminApi.put(`/order/${paid._id}`, { paymentStatus: 'Paid' });
  await customer.put(`/order-cancelled/${cancelled._id}`, { paymentStatus: 'Cancelled' });
  return [
    `/order-now/${(await getPackage('Basic'))._id}`,
    '/dashboard',
    '/my-order',
    '/pending-order',
    ...[paid, cancelled, unpaid].map(({ _id }) => `/pay-now/${_id}`),
    ...[cancelled, unpaid].map(({ _id }) => `/received-payment/${_id}`),
    // Opening it for the unpaid order would cancel that order.
    `/order-cancelled/${paid._id}`,
  ];
}
