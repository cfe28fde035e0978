import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actors } from '#libs/testing';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { type OrdersUnderTest, startOrders } from './orders.harness.js';

let orders: OrdersUnderTest;
beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent();
  await orders.offer('Basic', '290.00');
  await orders.projected({ Basic: '290.00' });
});
afterAll(() => orders?.stop());

test('a plan that was approved while the account was being deleted is ended, and loses the customer’s e-mail address', async () => {
  const { accountId, email } = actors.customer;
  const order = await orders.place();
  await orders.sql.query(
    `INSERT INTO subscriptions (id, version, created_at, updated_at, account_id, customer_name, customer_email,
       customer_address, customer_country, package_name, price_cents, first_order_id, first_order_number, provider,
       environment, receiver, reference, state, provider_status, wanted, started_at, cycles)
     VALUES ($1, 1, now(), now(), $2, 'Ada', $3, 'Street 1', 'Denmark', 'Basic', 29000, $4, $5, 'paypal-checkout',
       'simulator', 'app', 'I-1', 'active', 'charging', 'charging', now(), 1)`,
    [randomUUID(), accountId, email, order._id, order.number],
  );
  await orders.sql.query('INSERT INTO deleted_accounts (account_id, deleted_at) VALUES ($1, now())', [
    accountId,
  ]);
  await orders.sql.query(`UPDATE orders SET customer_email = ''`);
  await orders.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
  const { rows } = await orders.sql.query(
    'SELECT wanted, state, end_reason, customer_email FROM subscriptions',
  );
  expect(rows).toEqual([
    { wanted: 'cancelled', state: 'ended', end_reason: 'account_deleted', customer_email: '' },
  ]);
});
