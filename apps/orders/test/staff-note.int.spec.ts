import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Actor, orderContract } from '#libs/contracts';
import { actors } from '#libs/testing';
import { type OrdersUnderTest, startOrders } from './orders.harness.js';

const { admin, customer } = actors;

let orders: OrdersUnderTest;
beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent({ Basic: '290.00' });
});
afterAll(() => orders?.stop());

const add = (id: string, text: string, requestId: string = randomUUID(), actor: Actor = admin) =>
  orders.client.call(orderContract.addOrderNote, { id, text }, { actor, requestId });
const list = (id: string, actor: Actor = admin) =>
  orders.client.call(orderContract.listOrderNotes, { id }, { actor });

describe('a note about an order', () => {
  test('is kept with its author and time, and does not change what the customer sees of the order', async () => {
    const { _id: id, number } = await orders.place();
    const read = (actor: Actor) =>
      Promise.all([
        orders.client.call(orderContract.getOrder, { id }, { actor }),
        orders.client.call(orderContract.getOrderTimeline, { id }, { actor }),
      ]);
    const before = await read(customer);
    const first = await add(id, 'Owes us for March.\n\nCall first.');
    expect(first).toEqual({
      _id: expect.any(String),
      orderId: id,
      orderNumber: number,
      text: 'Owes us for March.\n\nCall first.',
      author: admin.email,
      createdAt: expect.stringMatching(/Z$/),
    });
    const second = await add(id, 'Called.');
    expect(await list(id)).toEqual([first, second]);
    expect(await read(customer)).toEqual(before);
  });

  test('is kept once, even if its command arrives several times', async () => {
    const { _id: id } = await orders.place();
    const requestId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(id, 'Once.', requestId)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await list(id)).toEqual([answers[0]]);
  });

  test('is for admins only, and needs an existing order and a valid text', async () => {
    const { _id: id } = await orders.place();
    await expect(add(id, 'x', randomUUID(), customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(list(id, customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const unknown of [randomUUID(), 'x']) {
      await expect(add(unknown, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(list(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const text of ['', ' \n', 'x'.repeat(10_001), 'a\0b'])
      await expect(add(id, text)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await list(id)).toEqual([]);
  });

  test('is refused if the order has a hundred already, also when several are added at the same time', async () => {
    const { _id: id } = await orders.place();
    await orders.sql.query(
      `INSERT INTO staff_notes (id, account_id, order_id, text, author, author_account, created_at)
       SELECT gen_random_uuid(), $2, $1, 'n', 'a@example.com', $2, now() FROM generate_series(1, 98)`,
      [id, customer.accountId],
    );
    const added = await Promise.allSettled(Array.from({ length: 6 }, () => add(id, 'One more')));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(add(id, 'One more')).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      message: 'This order already has the maximum number of notes (100).',
    });
    expect(await list(id)).toHaveLength(100);
  });

  test('is in the audit log, without the text', async () => {
    const { _id: id, number, orderDate } = await orders.place();
    await add(id, 'Secret sentence');
    const { rows } = await orders.sql.query<{ name: string; before: object; after: object }>(
      'SELECT name, before, after FROM audit_entries WHERE record_id = $1',
      [id],
    );
    expect(rows).toEqual([{ name: `#${number}, Basic, ${orderDate}`, before: {}, after: { added: 'note' } }]);
  });
});
