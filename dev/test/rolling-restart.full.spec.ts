import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { Load } from './faults/load.js';
import { Launch, temporaryDataDir } from './launcher.js';

const services = ['content', 'orders', 'messaging', 'identity', 'web', 'gateway'] as const;
const two = Object.fromEntries(services.map((name) => [`REPLICAS_${name.toUpperCase()}`, '2']));
const unlimited = { LIMIT_FORMS: '900000/600', LIMIT_ORDERS: '900000/600', LIMIT_SIGN_UP: '900000/600' };

/**
 * What an upgrade does to the site: each process is told to stop (SIGTERM) and started again, one after the other, while people use it.
 * Short forms in `npm test`: `drain-on-sigterm` of libs/transport, `last-calls` of libs/platform, `http` of apps/gateway.
 */
describe('a rolling restart under load', () => {
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

  test.each(services)('of %s fails no request', async (name) => {
    for (const { pid, health } of site.stack.services[name]!) {
      const from = performance.now();
      process.kill(pid, 'SIGTERM');
      await eventually(
        async () => {
          expect(site.stack.services[name]!.map((replica) => replica.pid)).not.toContain(pid);
          expect((await fetch(`${health}/readyz`)).status).toBe(200);
        },
        { timeoutMs: 60_000, intervalMs: 100 },
      );
      await load.everythingWorks(performance.now());
      expect(load.failures(from)).toEqual([]);
    }
    // It drained, and did not end in any other way.
    expect(site.output).not.toMatch(new RegExp(`${name}.* (was ended by|ended with code [1-9])`));
  });

  test('lost and doubled nothing', async () => {
    await load.stop();
    expect(load.failures()).toEqual([]);
    expect(await load.wrong(site.stack.databases)).toEqual([]);
  });
});
