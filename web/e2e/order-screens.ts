import { Session, testStack } from '#libs/testing';
import { order, packageNamed } from './person.js';

const { url, admin } = testStack();

/** Addresses of all screens for ordering and paying, with an order in each state. */
export async function orderScreens(customer: Session): Promise<string[]> {
  const seller = await Session.signIn(url, admin);
  const orders = [await order(customer), await order(customer, 'Premium'), await order(customer, 'Standard')];
  await seller.put(`/order/${orders[0]!._id}`, { paymentStatus: 'Paid' });
  await customer.put(`/order-cancelled/${orders[1]!._id}`, { paymentStatus: 'Cancelled' });
  return [
    `/order-now/${(await packageNamed('Basic'))._id}`,
    '/dashboard',
    '/my-order',
    '/pending-order',
    ...orders.map(({ _id }) => `/pay-now/${_id}`),
    ...orders.slice(1).map(({ _id }) => `/received-payment/${_id}`),
    `/order-cancelled/${orders[0]!._id}`,
  ];
}
