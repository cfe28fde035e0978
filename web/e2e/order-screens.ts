import { Session, testStack } from '#libs/testing';
import { order, packageNamed } from './person.js';

const { url, admin } = testStack();

export async function placeOrdersAndListScreens(customer: Session): Promise<string[]> {
  const adminApi = await Session.signIn(url, admin);
  const paid = await order(customer);
  const cancelled = await order(customer, 'Premium');
  const unpaid = await order(customer, 'Standard');
  await adminApi.put(`/order/${paid._id}`, { paymentStatus: 'Paid' });
  await customer.put(`/order-cancelled/${cancelled._id}`, { paymentStatus: 'Cancelled' });
  return [
    `/order-now/${(await packageNamed('Basic'))._id}`,
    '/dashboard',
    '/my-order',
    '/pending-order',
    ...[paid, cancelled, unpaid].map(({ _id }) => `/pay-now/${_id}`),
    ...[cancelled, unpaid].map(({ _id }) => `/received-payment/${_id}`),
    // Opening it for the unpaid order would cancel that order.
    `/order-cancelled/${paid._id}`,
  ];
}
