import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  eventually,
  freshDatabase,
  freshRedis,
  type BuiltProcess,
  startBuiltProcess,
  type TcpGate,
  startTcpGate,
  type TestDatabase,
  type TestRedis,
  fullTest,
} from '#libs/testing';

describe('orders as a process', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let gate: TcpGate;
  let service: BuiltProcess | undefined;

  beforeAll(async () => {
    [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
    gate = await startTcpGate(database.url);
  });
  afterEach(async () => {
    service?.child.kill('SIGKILL');
    await service?.exited;
    await gate.open();
  });
  afterAll(async () => {
    await gate.close();
    await Promise.all([database.drop(), redis.stop()]);
  });

  const start = (env: Record<string, string> = {}) =>
    (service = startBuiltProcess('orders', {
      DATABASE_URL: gate.url,
      REDIS_URL: redis.url,
      PUBLIC_URL: 'http://site.test',
      PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9',
      ...env,
    }));

  const readiness = async () => (await service?.health('/readyz'))?.json();

  test('starts with an empty database, reports its state, and exits with 0 on SIGTERM', async () => {
    const orders = start();
    await orders.ready();
    expect(await readiness()).toEqual({
      status: 'ready',
      checks: { redis: { status: 'up' }, postgres: { status: 'up' } },
    });
    const metrics = await (await orders.health('/metrics')).text();
    expect(metrics).toMatch(/nodejs_eventloop_lag_p99_seconds\{service="orders"\}/);
    expect(metrics).toContain('outbox_oldest_age_seconds{service="orders"} 0');
    expect(metrics).toContain('rpc_queue_length{service="orders"} 0');
    orders.child.kill('SIGTERM');
    expect(await orders.exited).toBe(0);
    expect(orders.log.at(-1)).toMatchObject({ level: 'info', service: 'orders', msg: 'Stopped' });
  });

  fullTest('is alive but not ready while Postgres is down, and ready again when it is back', async () => {
    const orders = start();
    await orders.ready();
    await gate.shut();
    await eventually(async () =>
      expect(await readiness()).toMatchObject({
        status: 'unready',
        checks: { postgres: { status: 'down' } },
      }),
    );
    expect((await orders.health('/readyz')).status).toBe(503);
    expect((await orders.health('/healthz')).status).toBe(200);
    // The value is unknown, hence NaN, which prom-client writes as `Nan`.
    expect(await (await orders.health('/metrics')).text()).toContain('outbox_waiting{service="orders"} Nan');
    await gate.open();
    await orders.ready();
  });

  fullTest('is alive but not ready while Redis is down, and ready again with an empty Redis', async () => {
    const orders = start();
    await orders.ready();
    await redis.kill();
    await eventually(async () =>
      expect(await readiness()).toMatchObject({ status: 'unready', checks: { redis: { status: 'down' } } }),
    );
    expect((await orders.health('/healthz')).status).toBe(200);
    await redis.restartEmpty();
    await orders.ready();
  });

  fullTest('waits for a Postgres that starts later', async () => {
    await gate.shut();
    const orders = start();
    await eventually(() =>
      expect(orders.log.map(({ msg }) => msg)).toContainEqual(
        expect.stringContaining('Waiting for Postgres'),
      ),
    );
    expect(await readiness()).toMatchObject({ status: 'starting' });
    await gate.open();
    await orders.ready();
  });

  fullTest('exits if it is stopped while it waits for Postgres', async () => {
    await gate.shut();
    const orders = start();
    await eventually(() =>
      expect(orders.log.map(({ msg }) => msg)).toContainEqual(
        expect.stringContaining('Waiting for Postgres'),
      ),
    );
    orders.child.kill('SIGTERM');
    expect(await orders.exited).toBe(0);
  });

  test('stops when the process that started it has ended', async () => {
    const orders = start();
    await orders.ready();
    orders.child.disconnect();
    expect(await orders.exited).toBe(0);
    expect(orders.log).toContainEqual(expect.objectContaining({ msg: 'Stopping', reason: 'parent gone' }));
  });

  test('names every invalid setting without its value, and exits with 78', async () => {
    const orders = start({
      DATABASE_URL: 'mysql://root:hunter2@db/orders',
      REDIS_URL: '',
      HEALTH_PORT: '70000',
      LOG_LEVEL: 'loud',
    });
    expect(await orders.exited).toBe(78);
    expect(orders.stderr.trim().split('\n')).toEqual([
      'HEALTH_PORT: must be a whole number from 0 to 65535',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'REDIS_URL: is missing',
      'DATABASE_URL: must be an address like postgres://host',
    ]);
  });

  test('says which port is taken and exits with 1', async () => {
    const port = new URL(gate.url).port;
    const orders = start({ HEALTH_PORT: port });
    expect(await orders.exited).toBe(1);
    expect(orders.log.at(-1)).toMatchObject({
      level: 'fatal',
      msg: `HEALTH_PORT: 127.0.0.1:${port} is in use by another process`,
    });
  });
});
