import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Broadcaster, EventPublisher, redisRules, redisUsers } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('least privilege', () => {
  let harness: Harness;
  const urlOf = (user: string) => {
    const url = new URL(harness.redis.url);
    url.username = user;
    url.password = `${user}-password`;
    return url.href;
  };
  beforeAll(async () => {
    harness = await Harness.start();
    const raw = await harness.raw();
    for (const user of redisUsers) {
      await raw.sendCommand(['ACL', 'SETUSER', user, 'on', `>${user}-password`, ...redisRules(user)]);
    }
  });
  afterAll(() => harness.close());

  test('a service and a gateway need no more than the documented rules', async () => {
    const options = { redisUrl: urlOf('orders'), reclaimAfterMs: 200, heartbeatMs: 40 };
    const leaving = await harness.replica('a', { ...options, drainTimeoutMs: 50 });
    const client = await harness.client({ redisUrl: urlOf('gateway'), caller: 'gateway' });
    const call = client.call(fixtureContract.wait, { ms: 0, hangAt: 'a' }, { actor: visitor });
    await eventually(() => expect(leaving.runs).toHaveLength(1));
    const staying = await harness.replica('b', options);
    await leaving.close();
    expect(await call).toEqual({ by: 'b' });
    expect(await client.isServed('orders')).toBe(true);
    expect(await staying.server.queueStats()).toMatchObject({ length: 0 });

    const publisher = new EventPublisher({
      redisUrl: urlOf('orders'),
      name: 'spec',
      logger: harness.logger,
    });
    await publisher.connect();
    await publisher.publish([{ id: 'e', event: 'orders.placed', payload: {}, occurredAt: new Date() }]);
    await publisher.redisRunId();
    const broadcaster = new Broadcaster({
      redisUrl: urlOf('gateway'),
      name: 'spec',
      logger: harness.logger,
    });
    await broadcaster.connect();
    const heard: unknown[] = [];
    await broadcaster.subscribe(broadcasts.adminsChanged, (payload) => heard.push(payload));
    await broadcaster.publish(broadcasts.adminsChanged, {});
    await eventually(() => expect(heard).toEqual([{}]));
    await Promise.all([publisher.close(), broadcaster.close()]);
    expect(harness.logged.filter((line) => JSON.stringify(line).includes('NOPERM'))).toEqual([]);
  });

  test.each([
    ['gateway', 'XRANGE', '{orders}:requests'],
    ['gateway', 'XADD', '{orders}:events'],
    ['content', 'XADD', '{orders}:requests'],
    ['content', 'XADD', '{orders}:events'],
    ['orders', 'XADD', '{identity}:requests'],
    ['identity', 'XRANGE', '{messaging}:requests'],
    ['identity', 'FLUSHALL', ''],
    ['orders', 'KEYS', '*'],
  ])('%s may not %s %s', async (user, command, key) => {
    const raw = await harness.raw();
    const rest = { XRANGE: ['-', '+'], XADD: ['*', 'm', '{}'] }[command] ?? [];
    const asked = [command, ...(key ? [key] : []), ...rest];
    expect(await raw.sendCommand(['ACL', 'DRYRUN', user, ...asked])).toMatch(/no permissions|permissions to/);
  });
});
