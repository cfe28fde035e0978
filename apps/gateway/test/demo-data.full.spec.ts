import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  type AuditEntry,
  type Customer,
  type DemoDataCounts,
  demoDomain,
  type Order,
  type PlanSubscription,
} from '#libs/contracts';
import { eventually, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { startSite, type SiteUnderTest } from './site.harness.js';

const password = 'a fine long password';

let site: SiteUnderTest;
let admin: Session;
let demoCustomer: Session;
let customer: Session;
beforeAll(async () => {
  site = await startSite({ seed: 'demo' });
  admin = await site.admin();
  customer = await site.customer();
  demoCustomer = await registerDemoCustomer('Amara');
});
afterAll(() => site?.stop());

const registerDemoCustomer = (name: string) =>
  Session.register(site.url, { email: `${name}@${demoDomain}`, password });

const placeOrder = async (person: Session, more: object = {}) => {
  const { status, json } = await person.post<Order>('/new-order', {
    packageName: 'Basic',
    packagePrice: '290.00',
    customerEmail: person.email,
    customerName: 'Amara Okafor',
    customerAddress: '14 Marina Road, Lagos',
    customerCountry: 'Nigeria',
    ...more,
  });
  expect(status).toBe(201);
  return json._id;
};
const queryOrdersDatabase = async (statement: string) => {
  const orders = new pg.Client({ connectionString: site.databaseUrls.orders });
  await orders.connect();
  const result = await orders.query(statement);
  await orders.end();
  return result;
};
const sendMessage = (emailAddress: string) =>
  site.visitor.post('/add-message', { fullName: 'A', emailAddress, subject: 'S', message: 'M' });
const none = { orders: 0, projects: 0, customers: 0, messages: 0, subscribers: 0, campaigns: 0 };

test('demo data is counted and removed by an admin; the data of other customers stays', async () => {
  const billingDetails = {
    company: 'Marina Ltd',
    addressLine1: '14 Marina Road',
    city: 'Lagos',
    countryCode: 'NG',
  };
  const [customerOrderId, demoOrderId] = [
    await placeOrder(customer, { billingDetails }),
    await placeOrder(demoCustomer, { billingDetails }),
  ];
  await admin.put(`/order/${demoOrderId}`, { paymentStatus: 'Paid' });
  await admin.post(`/order/${demoOrderId}/note`, { text: 'A note' });
  for (const email of [customer.email!, demoCustomer.email!]) {
    await sendMessage(email);
    await site.visitor.post('/add-subscriber', { email });
  }
  const found = { orders: 1, projects: 1, customers: 1, messages: 1, subscribers: 1, campaigns: 0 };
  await eventually(async () => expect((await admin.get<DemoDataCounts>('/demo-data')).json).toEqual(found));
  for (const call of [customer.get('/demo-data'), customer.delete('/demo-data')])
    expect((await call).status).toBe(403);

  const removed = await admin.delete<DemoDataCounts>('/demo-data');
  expect([removed.status, removed.json]).toEqual([200, found]);
  expect((await admin.get<DemoDataCounts>('/demo-data')).json).toEqual(none);
  expect((await admin.delete<DemoDataCounts>('/demo-data')).json).toEqual(none);

  expect((await admin.get<Order[]>('/orders')).json.map(({ _id }) => _id)).toEqual([customerOrderId]);
  expect((await admin.get(`/order/${demoOrderId}`)).status).toBe(404);
  expect((await admin.get('/orders/summary')).json).toMatchObject({ orders: 1, totalSales: '0.00' });
  await eventually(async () => {
    const customers = (await admin.get<Customer[]>('/customers')).json;
    expect(customers.map(({ email }) => email)).toEqual([customer.email]);
  });
  // Billing details that outlived their order would be a row with a null id.
  const { rows } = await queryOrdersDatabase(
    'SELECT id FROM billing_details LEFT JOIN orders USING (account_id)',
  );
  expect(rows).toEqual([{ id: customerOrderId }]);
  for (const list of ['/messages', '/subscribers'])
    expect((await admin.get<unknown[]>(list)).json).toHaveLength(1);
  const signIn = Session.signIn(site.url, { email: demoCustomer.email!, password });
  await expect(signIn).rejects.toThrow('401');
  const { json: log } = await admin.get<AuditEntry[]>('/audit?section=demoData');
  expect(log.map(({ change, before }) => ({ change, ...before }))).toEqual(
    expect.arrayContaining([
      { change: 'deleted', orders: 1 },
      { change: 'deleted', projects: 1 },
      { change: 'deleted', customers: 1 },
      { change: 'deleted', messages: 1, subscribers: 1, campaigns: 0 },
    ]),
  );
  expect(log).toHaveLength(4);
});

test('the monthly plan of a demo customer is removed with its timeline', async () => {
  const person = await registerDemoCustomer('zoe');
  const id = await placeOrder(person, { renews: true });
  await person.post(`/order/${id}/payment`, undefined);
  const [pending] = await site.paypal.subscriptions();
  await site.paypal.approveSubscription(pending!.id);
  await person.post(`/order/${id}/payment-return`, {});
  const [plan] = (await admin.get<PlanSubscription[]>('/plan-subscriptions')).json;
  expect(plan).toMatchObject({ firstOrderId: id, state: 'active' });
  expect((await admin.delete<DemoDataCounts>('/demo-data')).json).toMatchObject({ orders: 1, customers: 1 });
  expect((await admin.get<PlanSubscription[]>('/plan-subscriptions')).json).toEqual([]);
  expect((await admin.get(`/plan-subscription/${plan!._id}/timeline`)).status).toBe(404);
  const { rows } = await queryOrdersDatabase('SELECT id FROM subscription_timeline');
  expect(rows).toEqual([]);
});

test('an order with a payment attempt in the live environment is not demo data', async () => {
  const person = await registerDemoCustomer('ben');
  const id = await placeOrder(person);
  // A one-time payment goes to the site's PayPal e-mail, so there must be one.
  expect((await admin.post('/add-email', { paypalEmail: 'shop@example.com' })).status).toBe(201);
  expect((await person.post(`/order/${id}/payment`, undefined)).status).toBe(201);
  await queryOrdersDatabase(`UPDATE payment_attempts SET environment = 'live' WHERE order_id = '${id}'`);
  expect((await admin.delete<DemoDataCounts>('/demo-data')).json).toMatchObject({ orders: 0, customers: 1 });
  expect((await admin.get(`/order/${id}`)).status).toBe(200);
});

test('where payments are not simulated, demo data is neither counted nor removed', async () => {
  await placeOrder(await registerDemoCustomer('ines'));
  const { url } = await site.startGateway({ PAYPAL_MODE: 'sandbox' });
  const sandboxAdmin = admin.at(url);
  expect((await sandboxAdmin.get<DemoDataCounts>('/demo-data')).json).toEqual(none);
  const { status, json } = await sandboxAdmin.delete<Problem>('/demo-data');
  expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
  expect((await admin.get<DemoDataCounts>('/demo-data')).json).toMatchObject({ orders: 1, customers: 1 });
});
