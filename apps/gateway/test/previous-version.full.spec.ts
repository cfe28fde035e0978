import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections, type Field } from '#libs/content-model';
import {
  eventually,
  freshDatabase,
  freshRedis,
  sampleBody,
  type BuiltProcess,
  Session,
  startBuiltProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';
import type { Operation } from '#libs/contracts';
import { operations } from '#libs/operations';
import { freePort } from '../../../dev/embedded/ports.js';
import { buildPreviousVersion, type PreviousVersion } from '../../../dev/test/previous-version.js';
import { sampleRequest, writes } from './sample-requests.js';
import { adminCredentials, publicUrl } from './site.harness.js';
import { type StandInRenderer, standInRenderer } from './stand-in-renderer.js';

const services = ['content', 'orders', 'projects', 'messaging', 'identity'] as const;
type Service = (typeof services)[number];

/** Calls that change sessions or the caller's password or e-mail address. */
const ownAccountPaths = /^\/auth\/(logout|sessions|refresh|register|login|change-)/;
const unlimited = Object.fromEntries(
  ['FORMS', 'ORDERS', 'SIGN_UP', 'SIGN_IN', 'MAIL', 'CHALLENGES', 'PAYMENTS'].map((name) => [
    `LIMIT_${name}`,
    '900000/60',
  ]),
);

type Row = Record<string, unknown> & { _id: string };

/**
 * During an upgrade, the previous version runs on the schema of this one, and a rollback is possible. `npm test` checks which migrations are allowed
 * (dev/deploy/migrations.spec.ts).
 */
describe('the previous version', () => {
  let previous: PreviousVersion;
  let databases: Record<Service, TestDatabase>;
  let redis: TestRedis;
  let web: StandInRenderer;
  let filesDir: string;
  /** Such as `GET /banner`. */
  let previousCalls: Set<string>;
  let running: BuiltProcess[] = [];
  let url: string;
  /** The statuses before the migration, by call. */
  let before: Record<string, number>;

  beforeAll(async () => {
    previous = await buildPreviousVersion();
    const routes = readFileSync(join(previous.path, 'apps/gateway/test/golden/routes.txt'), 'utf8');
    previousCalls = new Set(routes.split('\n').map((line) => line.split('  ', 1)[0]!));
    const entries = await Promise.all(services.map(async (name) => [name, await freshDatabase()] as const));
    databases = Object.fromEntries(entries) as Record<Service, TestDatabase>;
    [redis, web, filesDir] = await Promise.all([
      freshRedis(),
      standInRenderer(),
      mkdtemp(join(tmpdir(), 'images-')),
    ]);
    await start(previous.path, 'run');
  }, 300_000);
  afterAll(async () => {
    await stop();
    await Promise.all([
      redis?.stop(),
      web?.stop(),
      ...Object.values(databases ?? {}).map((one) => one.drop()),
    ]);
    if (filesDir) await rm(filesDir, { recursive: true });
    previous?.remove();
  });

  const settingsOf = (name: Service) => ({
    DATABASE_URL: databases[name].url,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
    PUBLIC_URL: publicUrl,
  });

  async function start(folder: string, migrations: 'run' | 'wait'): Promise<void> {
    const port = await freePort();
    const own: Record<Service, Record<string, string>> = {
      content: { SEED: 'demo' },
      orders: { PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9', IMAGES_DIR: filesDir },
      projects: { IMAGES_DIR: filesDir },
      messaging: {},
      identity: {
        ...{ ADMIN_EMAIL: adminCredentials.email, ADMIN_PASSWORD: adminCredentials.password },
        ...{ ARGON2_MEMORY_KIB: '8', ARGON2_PASSES: '1' },
      },
    };
    // The previous version may lack a service that this one has.
    const present = services.filter((name) => existsSync(join(folder, 'apps', name)));
    const healthPorts = await Promise.all([...present, 'gateway'].map(() => freePort()));
    running = [
      ...present.map((name, index) =>
        startBuiltProcess(
          name,
          {
            ...settingsOf(name),
            ...own[name],
            DATABASE_MIGRATIONS: migrations,
            HEALTH_PORT: String(healthPorts[index]),
          },
          folder,
        ),
      ),
      startBuiltProcess(
        'gateway',
        {
          ...unlimited,
          ...{ REDIS_URL: redis.url, WEB_URL: web.url, IMAGES_DIR: filesDir, LOG_LEVEL: 'warn' },
          ...{ PUBLIC_URL: publicUrl, PORT: String(port), HOST: '127.0.0.1' },
          HEALTH_PORT: String(healthPorts.at(-1)),
        },
        folder,
      ),
    ];
    url = `http://127.0.0.1:${port}`;
    await eventually(
      async () => {
        for (const health of healthPorts)
          expect([health, (await fetch(`http://127.0.0.1:${health}/readyz`)).status]).toEqual([health, 200]);
        expect((await Session.visitor(url).get('/banner')).status).toBe(200);
        await Session.signIn(url, adminCredentials);
        expect((await Session.visitor(url).get<unknown[]>('/pricings')).json).not.toEqual([]);
      },
      { timeoutMs: 90_000, intervalMs: 200 },
    );
  }

  async function stop(): Promise<void> {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ exited }) => exited));
  }

  const isKnown = ({ method, path }: Pick<Operation, 'method' | 'path'>) =>
    previousCalls.has(`${method} ${path}`);
  const loggedErrors = () =>
    running.flatMap(({ log }) => log.filter(({ level }) => level === 'error' || level === 'fatal'));

  /** `mark` distinguishes the runs. Returns the status of each operation that was called with its sample request. */
  async function callEveryKind(mark: string): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    const visitor = Session.visitor(url);
    const admin = await Session.signIn(url, adminCredentials);
    const customer = await Session.register(url, {
      email: `customer-${mark}@example.com`,
      password: 'correct horse battery',
    });
    await placeOrders(customer, admin);
    await sendForms(visitor, admin, mark);
    await editContent(admin, mark);
    // Every operation that both versions have, except those that take raw bytes. Most of these calls find nothing to change.
    for (const operation of [...writes, ...operations.filter(({ method }) => method === 'GET')].filter(
      isKnown,
    )) {
      // `removeDemoContent` would remove the packages for which later runs place orders.
      if (ownAccountPaths.test(operation.path) || operation.operationId === 'removeDemoContent') continue;
      // The time machine needs the payment simulator, which does not run here.
      if (operation.path === '/time-machine') continue;
      const { method, path, body } = sampleRequest(operation, { mark, email: admin.email });
      const { status } = await admin.send(method, path, body ? { body } : {});
      statuses[`${method} ${operation.path}`] = status;
    }
    expect(Object.entries(statuses).filter(([, status]) => status >= 500)).toEqual([]);
    expect(loggedErrors()).toEqual([]);
    return statuses;
  }

  async function placeOrders(customer: Session, admin: Session): Promise<void> {
    const place = operations.find(({ path }) => path === '/new-order')!;
    const { path, body } = sampleRequest(place, { email: customer.email });
    const orders: Row[] = [];
    // Until the orders service knows the package, it refuses the order.
    await eventually(async () => {
      const placed = await customer.post<Row>(path, body);
      expect([placed.status, placed.text]).toEqual([201, placed.text]);
      orders.push(placed.json);
    });
    const second = await customer.post<Row>(path, body);
    expect(second.status).toBe(201);
    const cancelled = await customer.put(`/order-cancelled/${second.json._id}`, {
      paymentStatus: 'Cancelled',
    });
    expect(cancelled.status).toBe(200);
    const first = orders[0]!._id;
    expect((await admin.put(`/order/${first}`, { paymentStatus: 'Paid' })).status).toBe(200);
    expect((await customer.get<Row[]>('/orders')).json).toHaveLength(2);
    expect((await customer.get<Row>(`/order/${first}`)).json).toMatchObject({ paymentStatus: 'Paid' });
  }

  async function sendForms(visitor: Session, admin: Session, mark: string): Promise<void> {
    for (const [add, list] of [
      ['/add-message', '/messages'],
      ['/add-subscriber', '/subscribers'],
    ] as const) {
      const operation = operations.find(({ path }) => path === add)!;
      const added = await visitor.post<Row>(add, sampleRequest(operation, { mark }).body);
      expect([add, added.status]).toEqual([add, 201]);
      expect((await admin.get<Row[]>(list)).json[0]).toMatchObject({ _id: added.json._id });
      if (add === '/add-message') {
        expect((await admin.put(`/message/${added.json._id}`, { messageStatus: 'Read' })).status).toBe(200);
      }
    }
  }

  /** New records copy existing ones, so that they have the fields that the running version knows. */
  async function editContent(admin: Session, mark: string): Promise<void> {
    for (const section of allSections) {
      const { list, one, create, update } = section.routes;
      if (!isKnown({ method: 'POST', path: create }) && !isKnown({ method: 'PUT', path: update })) continue;
      const existing = (await admin.get<Row[]>(list)).json[0];
      const body = existing ? bodyOf(existing) : sampleBody(section, mark);
      const created = await admin.post<Row>(create, body);
      const refusesCopies =
        section.kind === 'singleton' || Object.values<Field>(section.fields).some(({ unique }) => unique);
      expect([section.name, created.status]).toEqual([section.name, existing && refusesCopies ? 409 : 201]);
      const id = created.status === 201 ? created.json._id : existing!._id;
      const at = (route: string) => route.replace(':id', id);
      const changed = await admin.put<Row>(at(update), body);
      expect([section.name, changed.status]).toEqual([section.name, 200]);
      expect((await admin.get<Row>(at(one))).json).toMatchObject({ _id: id });
      if (created.status === 201 && isKnown({ method: 'DELETE', path: one }))
        expect((await admin.delete(at(one))).status).toBe(200);
    }
  }

  async function storedIds(): Promise<string[][]> {
    const admin = await Session.signIn(url, adminCredentials);
    const lists = await Promise.all(
      ['/orders', '/messages', '/subscribers'].map((path) => admin.get<Row[]>(path)),
    );
    return lists.map(({ json }) => json.map(({ _id }) => _id));
  }

  test('first serves every kind of call on its own schema', async () => {
    before = await callEveryKind('before');
    // This run has created the only address that may receive payments, so later runs are refused.
    before['POST /add-email'] = 409;
  }, 120_000);

  test('answers with the same statuses during and after the migration of the databases', async () => {
    const migrated = Promise.all(
      services.map(async (name) => {
        const { DATABASE_URL, LOG_LEVEL } = settingsOf(name);
        const job = startBuiltProcess(`migrate-${name}`, { DATABASE_URL, LOG_LEVEL });
        expect([name, await job.exited]).toEqual([name, 0]);
      }),
    );
    expect(await callEveryKind('during')).toEqual(before);
    await migrated;
    expect(await callEveryKind('after')).toEqual(before);
  }, 240_000);

  test('can be started again on the migrated databases', async () => {
    await stop();
    await start(previous.path, 'wait');
    expect(await callEveryKind('again')).toEqual(before);
  }, 240_000);

  test('leaves data that this version can read', async () => {
    const previousIds = await storedIds();
    await stop();
    await start(resolve('.'), 'wait');
    expect(await storedIds()).toEqual(previousIds);
    await callEveryKind('new');
  }, 240_000);
});

function bodyOf(record: Row): Record<string, unknown> {
  const meta = ['_id', 'createdAt', 'updatedAt', 'version'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !meta.includes(name)));
}
