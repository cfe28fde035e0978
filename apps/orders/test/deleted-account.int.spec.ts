import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { customerContract, orderContract } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { actors, eventually } from '#libs/testing';
import { EventContext } from '#libs/transport';
import { CustomerRepository } from '../customer/customer.repository.js';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { DeletedAccountRepository } from '../order/deleted-account.repository.js';
import { OrderTotalsRepository } from '../totals/order-totals.repository.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

let orders: OrdersUnderTest;
beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent({ Basic: '290.00' });
});
afterAll(() => orders?.stop());

async function markDeletedAndSweep(accountId: string): Promise<void> {
  await orders.sql.query('INSERT INTO deleted_accounts (account_id, deleted_at) VALUES ($1, now())', [
    accountId,
  ]);
  await orders.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
}

test('a plan that was approved while the account was being deleted is ended, and loses the customer’s e-mail address', async () => {
  await orders.putPlan(await orders.place());
  // As if the order had been anonymized before the plan was stored.
  await orders.sql.query(`UPDATE orders SET customer_email = ''`);
  await markDeletedAndSweep(actors.customer.accountId);
  const { rows } = await orders.sql.query(
    'SELECT wanted, state, end_reason, customer_email FROM subscriptions',
  );
  expect(rows).toEqual([
    { wanted: 'cancelled', state: 'ended', end_reason: 'account_deleted', customer_email: '' },
  ]);
});

test('a note that staff write about the order of a deleted account stays, even if a sweep follows', async () => {
  const { _id: order } = await orders.place();
  const { app } = orders.replicas[0]!;
  const context = new EventContext({ eventId: randomUUID(), occurredAt: new Date(), deliveries: 1 });
  const addNote = (text: string) =>
    orders.client.call(orderContract.addOrderNote, { id: order, text }, { actor: actors.admin });
  await addNote('Prefers calls in the morning.');
  await app
    .get(DeletedAccountService, { strict: false })
    .forget({ accountId: actors.customer.accountId, email: actors.customer.email }, context);
  await orders.sql.query(`UPDATE deleted_accounts SET deleted_at = deleted_at - interval '1 hour'`);
  await addNote('The refund was agreed by phone.');
  // Personal data that arrived late.
  await orders.sql.query(`UPDATE orders SET customer_email = 'ada@example.com' WHERE id = $1`, [order]);
  await app.get(DeletedAccountService, { strict: false }).sweep();
  const { rows } = await orders.sql.query('SELECT text FROM staff_notes');
  expect(rows).toEqual([{ text: 'The refund was agreed by phone.' }]);
});

test('if removing the personal data of one deleted account fails, that of the others is still removed', async () => {
  const [failing, other] = [randomUUID(), randomUUID()];
  await orders.sql.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'Not now'; END $$;
     CREATE TRIGGER refuse BEFORE DELETE ON billing_details FOR EACH ROW
       WHEN (OLD.account_id = '${failing}') EXECUTE FUNCTION refuse()`,
  );
  await orders.sql.query(
    `INSERT INTO billing_details (account_id, details, updated_at) SELECT unnest($1::uuid[]), '{}', now()`,
    [[failing, other]],
  );
  const { app } = orders.replicas[0]!;
  const deletedAccounts = app.get(DeletedAccountRepository, { strict: false });
  const found = jest.spyOn(deletedAccounts, 'listWithPersonalData').mockResolvedValue([failing, other]);
  const error = jest.spyOn(app.get<Logger>(LOGGER, { strict: false }), 'error').mockReturnValue(undefined);
  try {
    await app.get(DeletedAccountService, { strict: false }).sweep();
    const { rows } = await orders.sql.query('SELECT account_id FROM billing_details');
    expect(rows).toEqual([{ account_id: failing }]);
    expect(error).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'Not now' }), accountId: failing },
      'Removing the personal data of a deleted account failed; will retry',
    );
  } finally {
    for (const spy of [found, error]) spy.mockRestore();
    await orders.sql.query('DROP TRIGGER refuse ON billing_details; DROP FUNCTION refuse');
    await orders.sql.query('DELETE FROM billing_details');
  }
});

test('a sweep ends when Postgres is unreachable, and logs nothing about accounts', async () => {
  const { app } = orders.replicas[0]!;
  const deletedAccounts = app.get(DeletedAccountRepository, { strict: false });
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const found = jest
    .spyOn(deletedAccounts, 'listWithPersonalData')
    .mockResolvedValue([randomUUID(), randomUUID()]);
  const removal = jest
    .spyOn(app.get(CustomerRepository, { strict: false }), 'delete')
    .mockRejectedValue(unreachable);
  const error = jest.spyOn(app.get<Logger>(LOGGER, { strict: false }), 'error').mockReturnValue(undefined);
  try {
    await expect(app.get(DeletedAccountService, { strict: false }).sweep()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(removal).toHaveBeenCalledTimes(1);
    expect(error).not.toHaveBeenCalled();
  } finally {
    for (const spy of [found, removal, error]) spy.mockRestore();
  }
});

test('entries of the audit log about a deleted account’s records lose the customer’s name, and the reasons that admins gave', async () => {
  const { accountId } = otherCustomer;
  const otherOwner = { ...otherCustomer, accountId: randomUUID(), email: 'another@example.com' };
  const [order, unaffected] = [await orders.place({}, otherCustomer), await orders.place({}, otherOwner)];
  const planId = await orders.putPlan(order);
  const options = { actor: actors.admin };
  const override = (id: string, reason: string) =>
    orders.client.call(
      orderContract.updateOrderPaymentStatus,
      { id, paymentStatus: 'Paid', reason },
      options,
    );
  await override(order._id, 'Ada Lovelace paid in cash.');
  await override(unaffected._id, 'Paid in cash.');
  // Refused until the new order has put the customer on the list of customers.
  await eventually(() =>
    orders.client.call(customerContract.addCustomerNote, { id: accountId, text: 'Called.' }, options),
  );
  // Earlier releases wrote entries that name the customer of the order or plan.
  await orders.sql.query(
    `INSERT INTO audit_entries (id, at, actor_id, actor_email, section, record_id, name, change, before, after)
     SELECT gen_random_uuid(), now(), 'a', 'admin@example.com', section, id, '#1, Ada Lovelace, Basic', 'updated',
       '{"state": "active"}', '{"state": "paused"}'
     FROM (VALUES ('order', $1), ('planSubscription', $2)) AS records (section, id)`,
    [order._id, planId],
  );
  await markDeletedAndSweep(accountId);
  const { rows } = await orders.sql.query<{ section: string; name: string; after: object }>(
    `SELECT section, name, after FROM audit_entries WHERE record_id = ANY ($1) ORDER BY section, at`,
    [[accountId, order._id, planId, unaffected._id]],
  );
  const name = `#${order.number}, Basic, ${order.orderDate}`;
  expect(rows).toEqual([
    { section: 'customer', name: 'a deleted account', after: { added: 'note' } },
    { section: 'order', name, after: { paymentStatus: 'Paid', override: 'Paid' } },
    {
      section: 'order',
      name: `#${unaffected.number}, Basic, ${unaffected.orderDate}`,
      after: { paymentStatus: 'Paid', override: 'Paid', reason: 'Paid in cash.' },
    },
    { section: 'order', name, after: { state: 'paused' } },
    { section: 'planSubscription', name: `#${order.number}, Basic`, after: { state: 'paused' } },
  ]);
});

test('the timeline keeps the address of the person who placed an order, even if another account that now has this address is deleted', async () => {
  const { _id } = await orders.place(
    {},
    { ...otherCustomer, accountId: randomUUID(), email: 'x@example.com' },
  );
  const deletion = new EventContext({ eventId: uuidv7(), occurredAt: new Date(), deliveries: 1 });
  await orders.replicas[0]!.app.get(DeletedAccountService, { strict: false }).forget(
    { accountId: randomUUID(), email: 'x@example.com' },
    deletion,
  );
  const { rows } = await orders.sql.query('SELECT kind, by FROM order_timeline WHERE order_id = $1', [_id]);
  expect(rows).toEqual([{ kind: 'placed', by: 'x@example.com' }]);
});

test('a customer who is being added to the list while their account is deleted does not stay on it', async () => {
  const accountId = randomUUID();
  await orders.place({}, { ...otherCustomer, accountId });
  const count = async (sql: string) => (await orders.sql.query(sql, [accountId])).rowCount;
  const countInList = () => count('SELECT 1 FROM customers WHERE account_id = $1');
  await eventually(async () => expect(await countInList()).toBe(1));
  await orders.sql.query('DELETE FROM customers WHERE account_id = $1', [accountId]);
  const [folding, deleting] = orders.replicas.map(({ app }) => app);
  const deletion = new EventContext({ eventId: uuidv7(), occurredAt: new Date(), deliveries: 1 });
  let deleted: Promise<void>;
  await folding!.get(DataSource, { strict: false }).transaction(async (tx) => {
    // Like `OrderTotalsRepository.fold`, takes the lock (`preventFolding` takes the same one) and changes the totals, which adds the customer to the
    // list.
    await folding!.get(OrderTotalsRepository, { strict: false }).preventFolding(tx);
    await tx.sql`UPDATE account_order_totals SET orders = orders WHERE account_id = ${accountId}`;
    deleted = deleting!
      .get(DeletedAccountService, { strict: false })
      .forget({ accountId, email: null }, deletion);
    await eventually(async () => {
      const deletions = await count('SELECT 1 FROM deleted_accounts WHERE account_id = $1');
      const waitingLocks = await orders.sql.query(
        `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
         WHERE NOT granted AND locktype = 'advisory' AND datname = current_database()`,
      );
      // If the deletion did not wait for the lock, it would be done by now, and the last line of this test would fail.
      expect(deletions === 1 || waitingLocks.rowCount === 1).toBe(true);
    });
  });
  await deleted!;
  expect(await countInList()).toBe(0);
});
