import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { HealthServer } from './health-server.js';

describe('health server', () => {
  let registry: Registry;
  let health: HealthServer;

  beforeEach(async () => {
    registry = new Registry();
    health = new HealthServer({ port: 0, registry, checkTimeoutMs: 50 });
    await health.listen();
  });
  afterEach(() => health.close());

  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${health.port}${path}`, { method });
  const readiness = async () => {
    const response = await get('/readyz');
    return [response.status, await response.json()];
  };

  test('is alive regardless of the dependencies, and ready only when all of them are up', async () => {
    let up = true;
    health.addCheck('redis', async () => 'PONG');
    health.addCheck('postgres', async () => {
      if (!up) throw new Error('connection refused');
    });
    health.state = 'ready';
    const both = { redis: { status: 'up' }, postgres: { status: 'up' } };
    expect(await readiness()).toEqual([200, { status: 'ready', checks: both }]);
    up = false;
    const checks = { ...both, postgres: { status: 'down', reason: 'connection refused' } };
    expect(await readiness()).toEqual([503, { status: 'unready', checks }]);
    expect((await get('/healthz')).status).toBe(200);
  });

  test.each(['starting', 'draining'] as const)('is not ready while %s', async (state) => {
    health.addCheck('redis', async () => 'PONG');
    health.state = state;
    expect(await readiness()).toEqual([503, { status: state, checks: { redis: { status: 'up' } } }]);
  });

  test('a dependency that never answers is down, and requests at the same time share one check', async () => {
    let asked = 0;
    health.addCheck('postgres', () => {
      asked += 1;
      return new Promise(() => {});
    });
    health.state = 'ready';
    const [[status, body]] = await Promise.all([readiness(), readiness(), readiness()]);
    expect([status, body]).toMatchObject([
      503,
      { checks: { postgres: { reason: 'no answer within 50 ms' } } },
    ]);
    expect(asked).toBe(1);
  });

  test('serves metrics in Prometheus’s format', async () => {
    new Counter({ name: 'orders_placed_total', help: 'Orders', registers: [registry] }).inc(2);
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('orders_placed_total 2');
  });

  test('refuses other paths and methods, and ignores the query', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/healthz', 'POST')).status).toBe(405);
    expect((await get('/healthz?probe=1')).status).toBe(200);
  });

  test('a busy port is reported in one sentence', async () => {
    const second = new HealthServer({ port: health.port, registry });
    await expect(second.listen()).rejects.toThrow(
      `HEALTH_PORT: 127.0.0.1:${health.port} is in use by another process`,
    );
  });

  test('closes even if a client stays connected', async () => {
    const idle = connect(health.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const cut = new Promise((resolve) => idle.once('close', resolve));
    await health.close();
    await cut;
  });
});
