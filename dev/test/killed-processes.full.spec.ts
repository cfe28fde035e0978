import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#libs/testing';
import { Load } from './faults/load.js';
import { serverPid } from './faults/servers.js';
import { Launch, temporaryDataDir } from './launcher.js';

const services = ['content', 'orders', 'messaging', 'identity', 'web', 'gateway'] as const;
const two = Object.fromEntries(services.map((name) => [`REPLICAS_${name.toUpperCase()}`, '2']));
const unlimited = { LIMIT_FORMS: '900000/600', LIMIT_ORDERS: '900000/600', LIMIT_SIGN_UP: '900000/600' };

/** How long a fault may be felt, in milliseconds. */
const recoveryMs = 10_000;

/**
 * The first row of the fault table (targets.md), under load. Its short forms in `npm test`: `killed-replica`, `redis-gone`,
 * `redis-restarted-empty` and `lost-reply` of libs/transport, `outbox` and `postgres` of libs/database, `start.int` beside this.
 * Mail: `mail-crash` of apps/messaging.
 */
describe('kill -9 under load', () => {
  const data = temporaryDataDir();
  let site: Launch;
  let load: Load;
  beforeAll(async () => {
    site = new Launch(data.path, { ...two, ...unlimited });
    load = await Load.start(await site.ready());
  }, 120_000);
  afterAll(async () => {
    await load?.stop();
    await site.stop();
    data.remove();
  }, 60_000);

  /** Ends it, and gives for how long (ms) anybody could tell. Everything is as before when this resolves. */
  async function felt(kill: () => void): Promise<number> {
    const at = performance.now();
    kill();
    await load.everythingWorks(at);
    const last = Math.max(at, ...load.failures(at).map(({ ended }) => ended));
    await eventually(
      async () => {
        for (const { health } of Object.values(site.stack.services).flat())
          expect((await fetch(`${health}/readyz`)).status).toBe(200);
      },
      { timeoutMs: 60_000, intervalMs: 200 },
    );
    await load.everythingWorks(performance.now());
    return last - at;
  }

  const replicas = services.flatMap((name) => [0, 1].map((index) => [name, index] as const));
  test.each(replicas)('of %s %i', async (name, index) => {
    const { pid } = site.stack.services[name]![index]!;
    expect(await felt(() => process.kill(pid, 'SIGKILL'))).toBeLessThan(recoveryMs);
    expect(site.stack.services[name]![index]!.pid).not.toBe(pid);
  });

  test.each(['redis', 'postgres'] as const)('of %s', async (server) => {
    const pid = serverPid(site, server);
    expect(await felt(() => process.kill(pid, 'SIGKILL'))).toBeLessThan(recoveryMs);
    expect(serverPid(site, server)).not.toBe(pid);
  });

  test('of both replicas of a service at once', async () => {
    const pids = site.stack.services.orders!.map(({ pid }) => pid);
    await felt(() => pids.forEach((pid) => process.kill(pid, 'SIGKILL')));
  });

  test('lost no acknowledged write and doubled none, nor a mail about one', async () => {
    await load.stop();
    expect(load.acknowledged.message.size).toBeGreaterThan(100);
    expect(load.acknowledged.order.size).toBeGreaterThan(100);
    expect(await load.wrong(site.stack.databases)).toEqual([]);
    const messaging = new pg.Client({ connectionString: site.stack.databases.messaging });
    await messaging.connect();
    try {
      await eventually(
        async () => {
          const { rows } = await messaging.query<{ about: string; mails: number }>(
            `SELECT about, count(*)::int AS mails FROM mails WHERE template = 'orderPlaced' GROUP BY about`,
          );
          expect(rows.filter(({ mails }) => mails !== 1)).toEqual([]);
          expect(rows).toHaveLength(load.acknowledged.order.size);
        },
        { timeoutMs: 60_000, intervalMs: 500 },
      );
    } finally {
      await messaging.end();
    }
  });
});
