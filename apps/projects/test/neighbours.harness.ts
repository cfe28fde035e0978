import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import pg from 'pg';
import { createClient } from 'redis';
import type { z } from 'zod';
import {
  contentContract,
  type ContentRecord,
  type EventContract,
  type Order,
  orderCancelled,
  orderContract,
  orderPaid,
  type OrderStatus,
  system,
} from '#libs/contracts';
import { pricingPackage } from '#libs/content-model';
import { uuidv7 } from '#libs/database';
import { actors, eventually, freshDatabase, sampleBody, startBuiltProcess } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { startReplicaOn as startContentOn } from '../../content/test/content.harness.js';

interface OrderValues {
  accountId?: string;
  packageName?: string;
  /** The month (`cycle`) of a plan that the order pays for. */
  renewal?: { subscriptionId: string; cycle: number };
  orderStatus?: OrderStatus;
  paymentStatus?: 'Paid' | 'UnPaid';
  /** How many days ago the order was placed. */
  daysAgo?: number;
}

/** Starts content, orders and identity on this Redis. Identity has one admin. */
export async function startNeighbours(redisUrl: string) {
  const [contentDb, ordersDb, identityDb] = await Promise.all([
    freshDatabase('content'),
    freshDatabase('orders'),
    freshDatabase('identity'),
  ]);
  const storageDir = await mkdtemp(join(tmpdir(), 'storage-'));
  const shared = {
    REDIS_URL: redisUrl,
    HEALTH_PORT: '0',
    HEALTH_HOST: '127.0.0.1',
    PUBLIC_URL: 'http://site.test',
  };
  const orders = startBuiltProcess('orders', {
    ...shared,
    DATABASE_URL: ordersDb.url,
    IMAGES_DIR: storageDir,
    // Nothing is paid at a provider here.
    PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9',
  });
  const identity = startBuiltProcess('identity', {
    ...shared,
    DATABASE_URL: identityDb.url,
    ARGON2_MEMORY_KIB: '8',
    ARGON2_PASSES: '1',
    ADMIN_EMAIL: 'eve@staff.example.com',
    ADMIN_PASSWORD: 'the first admin password',
  });
  const content = await startContentOn({ databaseUrl: contentDb.url, redisUrl }, 'none');
  await Promise.all([orders.ready(), identity.ready()]);
  const client = new RpcClient({ redisUrl, caller: 'test' });
  await client.connect();
  const sql = new pg.Client({ connectionString: ordersDb.url });
  await sql.connect();

  const announce = <P extends z.ZodType>(event: EventContract<P>, payload: z.input<P>) =>
    sql.query('INSERT INTO outbox_messages (id, event, payload) VALUES ($1, $2, $3)', [
      ...[uuidv7(), event.event, JSON.stringify(payload)],
    ]);

  /** Inserts an order without publishing an event. */
  const putOrder = async ({
    accountId = actors.customer.accountId,
    packageName = 'Basic',
    renewal,
    orderStatus = 'Pending',
    paymentStatus = 'Paid',
    daysAgo = 0,
  }: OrderValues = {}): Promise<{ id: string; number: number }> => {
    const { rows } = await sql.query<{ id: string; number: string }>(
      `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address, customer_country,
         package_name, package_price, price_cents, order_status, provider_state, payment_status, payment_state, override,
         subscription_id, cycle, payments, flags, version, created_at, updated_at)
       VALUES ($1, $2, now() - $8 * interval '1 day', 'Ada Lovelace', 'ada@example.com', 'Street', 'Norway',
         $3, '290.00', 29000, $4, 'unpaid', $5, CASE WHEN $5 = 'Paid' THEN 'paid' ELSE 'unpaid' END, $5,
         $6, $7, '[]', '{}', 1, now() - $8 * interval '1 day', now())
       RETURNING id, number`,
      [
        ...[uuidv7(), accountId, packageName, orderStatus, paymentStatus],
        ...[renewal?.subscriptionId ?? null, renewal?.cycle ?? null, daysAgo],
      ],
    );
    return { id: rows[0]!.id, number: Number(rows[0]!.number) };
  };

  return {
    client,
    sql,
    announce,
    putOrder,
    /** Waits until the projects service has handled every event of orders and subscriptions. */
    untilHandled: async () => {
      const redis = createClient({ url: redisUrl });
      await redis.connect();
      await eventually(async () => {
        const unsent = await sql.query('SELECT 1 FROM outbox_messages WHERE sent_at IS NULL');
        expect(unsent.rowCount).toBe(0);
        for (const owner of ['orders', 'subscriptions']) {
          const groups = await redis.xInfoGroups(`{${owner}}:events`);
          expect(groups.find(({ name }) => name === 'projects')).toMatchObject({ pending: 0, lag: 0 });
        }
      });
      redis.destroy();
    },
    /** Inserts an order that was paid just now, and publishes the event. */
    pay: async (order: OrderValues = {}) => {
      const paid = await putOrder(order);
      const accountId = order.accountId ?? actors.customer.accountId;
      await announce(orderPaid, { orderId: paid.id, accountId, version: 1 });
      return paid;
    },
    refund: async ({ id }: { id: string }) => {
      const { rows } = await sql.query<{ accountId: string; version: number }>(
        `UPDATE orders SET payment_status = 'Cancelled', payment_state = 'refunded', version = version + 1
         WHERE id = $1 RETURNING account_id AS "accountId", version`,
        [id],
      );
      await announce(orderCancelled, { orderId: id, ...rows[0]!, paymentState: 'refunded' });
    },
    getOrder: (id: string): Promise<Order> =>
      client.call(orderContract.getOrder, { id }, { actor: actors.admin }),
    setOrderStatus: (id: string, orderStatus: OrderStatus) =>
      client.call(orderContract.updateOrderStatus, { id, orderStatus }, { actor: actors.admin }),
    setPaymentStatus: (id: string, paymentStatus: 'Paid' | 'UnPaid') =>
      client.call(orderContract.updateOrderPaymentStatus, { id, paymentStatus }, { actor: actors.admin }),
    cancelOrder: (id: string) => client.call(orderContract.cancel, { id }, { actor: actors.customer }),
    putSubscription: async (
      subscriptionId: string,
      firstOrder: { id: string; number: number },
      state = 'active',
    ) => {
      await sql.query(
        `INSERT INTO subscriptions (id, version, created_at, updated_at, account_id, customer_name, customer_email,
           customer_address, customer_country, package_name, price_cents, first_order_id, first_order_number, provider,
           environment, receiver, reference, state, provider_status, wanted, started_at, cycles)
         VALUES ($1, 1, now(), now(), $2, 'Ada Lovelace', 'ada@example.com', 'Street', 'Norway', 'Monthly', 29000, $3, $4,
           'paypal', 'sandbox', 'r', $5, $6, 'charging', 'charging', now(), 1)`,
        [subscriptionId, actors.customer.accountId, firstOrder.id, firstOrder.number, randomUUID(), state],
      );
    },
    /** Creates a package, and waits until the projects service has a copy of it. */
    offerPackage: async (packageName: string, projects: { sql: pg.Client }): Promise<ContentRecord> => {
      const { _id } = await client.call(
        contentContract.create,
        { section: pricingPackage.name, body: { ...sampleBody(pricingPackage), packageName } },
        { actor: actors.admin },
      );
      await eventually(async () => {
        const { rowCount } = await projects.sql.query('SELECT 1 FROM site_copies WHERE id = $1', [_id]);
        if (rowCount !== 1) throw new Error('Not yet');
      });
      const { sections } = await client.call(contentContract.snapshot, {}, { actor: system });
      return sections[pricingPackage.name]!.find((record) => record._id === _id)!;
    },
    stop: async () => {
      await Promise.all([client.close(), sql.end()]);
      for (const { child } of [orders, identity]) child.kill('SIGTERM');
      await Promise.all([content.close(), orders.exited, identity.exited]);
      await Promise.all([
        contentDb.drop(),
        ordersDb.drop(),
        identityDb.drop(),
        rm(storageDir, { recursive: true }),
      ]);
    },
  };
}

export type Neighbours = Awaited<ReturnType<typeof startNeighbours>>;
