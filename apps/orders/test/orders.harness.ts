import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type Actor,
  type CallInput,
  contentContract,
  type ContentRecord,
  type Order,
  orderCancelled,
  orderContract,
  orderDelivered,
  orderPaid,
  orderPlaced,
  paymentFlagged,
  system,
} from '#libs/contracts';
import { pricingPackage, siteName } from '#libs/content-model';
import { type RunningService, startService } from '#libs/platform';
import {
  actors,
  builtProgram,
  eventually,
  freshDatabase,
  sampleBody,
  startServiceUnderTest,
} from '#libs/testing';
import { startReplicaOn as startContentOn } from '../../content/test/content.harness.js';
import { AppModule } from '../app.module.js';
import { ordersSettings } from '../config.js';
import { OrderChangeService } from '../order/order-change.service.js';
import { OrderRepository } from '../order/order.repository.js';
import type { OrderChange } from '../order/order-transition.js';
import type { TimelineInput } from '../timeline/order-timeline.repository.js';

type Event =
  | typeof orderPlaced
  | typeof orderPaid
  | typeof orderCancelled
  | typeof orderDelivered
  | typeof paymentFlagged;

export type OrderBody = CallInput<typeof orderContract.createOrder>;

/** Two replicas and, on request, a content service whose packages they sell. */
export async function startOrders(env: Record<string, string> = {}) {
  const filesDir = await mkdtemp(join(tmpdir(), 'orders-files-'));
  const orders = await startServiceUnderTest<Event>({
    service: 'orders',
    startReplica: ({ databaseUrl, redisUrl }) => {
      const config = ordersSettings.parse({
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        IMAGES_DIR: filesDir,
        HEALTH_PORT: '0',
        HEALTH_HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        PUBLIC_URL: 'http://site.test',
        // Nothing listens here: calls to PayPal are tested with the gateway and a simulated PayPal.
        PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9',
        ...env,
      });
      return startService({
        name: 'orders',
        config,
        module: AppModule.forRoot(config, builtProgram('invoice-renderer')),
      });
    },
    replicaCount: 2,
    follows: [orderPlaced, orderPaid, orderCancelled, orderDelivered, paymentFlagged],
    followsAs: 'messaging',
  });
  const { client } = orders;
  const contentDatabase = await freshDatabase('content');
  let content: RunningService | undefined;

  const place = (
    body: Partial<OrderBody> = {},
    actor: Actor = actors.customer,
    requestId?: string,
  ): Promise<Order> =>
    client.call(
      orderContract.createOrder,
      { ...orderBody, customerEmail: 'email' in actor ? actor.email : '', ...body },
      { actor, ...(requestId === undefined ? {} : { requestId }) },
    );

  const offer = (packageName: string, packagePrice: string): Promise<ContentRecord> =>
    client.call(
      contentContract.create,
      { section: pricingPackage.name, body: { ...sampleBody(pricingPackage), packageName, packagePrice } },
      { actor: actors.admin },
    );

  /** Waits until the orders service sells exactly these packages (name and price). */
  const waitForPackages = (expected: Record<string, string>) =>
    eventually(async () => {
      const { rows } = await orders.sql.query<{ name: string; price: string }>(
        'SELECT name, price FROM packages WHERE NOT deleted',
      );
      const found = Object.fromEntries(rows.map(({ name, price }) => [name, price]));
      if (!isDeepStrictEqual(found, expected)) throw new Error(JSON.stringify(found));
    });

  return {
    ...orders,
    place,
    offer,
    waitForPackages,
    /** If packages (name and price) are given, adds them, and waits until the orders service sells exactly these. */
    startContent: async (packages: Record<string, string> = {}) => {
      content = await startContentOn({ databaseUrl: contentDatabase.url, redisUrl: orders.redisUrl }, 'none');
      for (const [name, price] of Object.entries(packages)) await offer(name, price);
      if (Object.keys(packages).length > 0) await waitForPackages(packages);
    },
    stopContent: async () => {
      await content?.close();
      content = undefined;
    },
    /** Applies a change of any kind to an order. Returns whether anything changed. `also` runs in the same transaction. */
    applyChange: (
      id: string,
      change: OrderChange,
      {
        entries = [],
        also,
      }: { entries?: TimelineInput[]; also?: (tx: EntityManager) => Promise<unknown> } = {},
    ): Promise<boolean> => {
      const { app } = orders.replicas[0]!;
      const changes = app.get(OrderChangeService, { strict: false });
      const repository = app.get(OrderRepository, { strict: false });
      return app.get(DataSource, { strict: false }).transaction(async (tx) => {
        const modified = await changes.apply(tx, (await repository.lock(tx, id))!, change, entries);
        await also?.(tx);
        return modified;
      });
    },
    /** Changes the price of the package Basic, which has this `id`. */
    reprice: (id: string, packagePrice: string) =>
      client.call(
        contentContract.update,
        {
          section: pricingPackage.name,
          id,
          body: { ...sampleBody(pricingPackage), packageName: 'Basic', packagePrice },
        },
        { actor: actors.admin },
      ),
    /** Sets the name of the site, and waits until the orders service knows it. */
    nameSite: async (name: string) => {
      const { sections } = await client.call(contentContract.snapshot, {}, { actor: system });
      const section = siteName.name;
      const body = { siteName: name };
      const id = sections[section]?.[0]?._id;
      const options = { actor: actors.admin };
      if (id) await client.call(contentContract.update, { section, id, body }, options);
      else await client.call(contentContract.create, { section, body }, options);
      await eventually(async () => {
        const { rows } = await orders.sql.query<{ body: { siteName?: string } }>(
          'SELECT body FROM site_copies WHERE section = $1',
          [section],
        );
        if (!rows.some((row) => row.body.siteName === name)) throw new Error('Not yet');
      });
    },
    withdrawPackage: (id: string) =>
      client.call(contentContract.remove, { section: pricingPackage.name, id }, { actor: actors.admin }),
    /** Inserts an active monthly plan that began with this order; `columns` replace its values. Returns the id of the plan. */
    putPlan: async (order: Order, columns: Record<string, unknown> = {}): Promise<string> => {
      const id = randomUUID();
      await orders.sql.query(
        `INSERT INTO subscriptions (id, version, created_at, updated_at, account_id, customer_name, customer_email,
           customer_address, customer_country, package_name, price_cents, first_order_id, first_order_number, provider,
           environment, receiver, reference, state, provider_status, wanted, started_at, cycles)
         VALUES ($1, 1, now(), now(), $2, $3, $4, 'Street 1', 'Denmark', 'Basic', 29000, $5, $6, 'paypal-checkout',
           'simulator', 'app', $1::uuid::text, 'active', 'charging', 'charging', now(), 1)`,
        [id, order.accountId, order.customerName, order.customerEmail, order._id, order.number],
      );
      for (const [column, value] of Object.entries(columns))
        await orders.sql.query(`UPDATE subscriptions SET ${column} = $2 WHERE id = $1`, [id, value]);
      return id;
    },
    /**
     * Inserts orders directly; their packages need not exist. Up to three orders have the same creation time, so that lists must also sort by id.
     */
    putOrders: async (
      count: number,
      { accountId = actors.customer.accountId }: { accountId?: string } = {},
    ) => {
      await orders.sql.query(
        `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
           customer_country, package_name, package_price, price_cents, order_status, provider_state,
           payment_status, payment_state, flags, created_at, updated_at)
         SELECT gen_random_uuid(), $2, (now() - n * interval '1 hour')::date, 'Person ' || md5(n::text), 'p' || n || '@example.com',
           'Street', 'Norway', CASE WHEN n % 3 = 0 THEN 'Premium' ELSE 'Basic' END, '290.00', 29000 + n % 7,
           CASE WHEN n % 4 = 0 THEN 'Pending' ELSE 'Delivered' END,
           CASE WHEN n % 5 < 3 THEN 'paid' ELSE 'unpaid' END, CASE WHEN n % 5 < 3 THEN 'Paid' ELSE 'UnPaid' END,
           CASE WHEN n % 5 < 3 THEN 'paid' ELSE 'unpaid' END,
           CASE WHEN n % 50 = 0 THEN ARRAY['notice_held'] ELSE '{}' END,
           now() - (n / 3) * interval '1 ms', now()
         FROM generate_series(1, $1::int) n`,
        [count, accountId],
      );
    },
    stop: async () => {
      await content?.close();
      await orders.stop();
      await rm(filesDir, { recursive: true });
      await contentDatabase.drop();
    },
  };
}

export type OrdersUnderTest = Awaited<ReturnType<typeof startOrders>>;

export const orderBody = {
  packageName: 'Basic',
  packagePrice: '290.00',
  customerEmail: actors.customer.email,
  customerName: 'Ada Lovelace',
  customerAddress: '1 Analytical Way',
  customerCountry: 'United Kingdom',
} satisfies OrderBody;

export const otherCustomer = {
  ...actors.customer,
  accountId: '019a0000-0000-7000-8000-000000000009',
  email: 'outsider@example.com',
};
