import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Broadcaster, EventPublisher } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

/** The rules that the README gives. */
const connection = '+hello +auth +ping +client|setname +client|id';
const service = [
  '~{orders}:* ~{content}:events',
  '&reply:* &broadcast:*',
  connection,
  '+client|unblock +time +info +set +publish +subscribe',
  '+xadd +xreadgroup +xack +xdel +xclaim +xpending +xlen +xrange +xgroup|create +xgroup|delconsumer',
  '+xinfo|groups +xinfo|consumers',
];
const gateway = [
  '~{*}:requests ~{*}:alive',
  '&reply:gateway:* &broadcast:*',
  connection,
  '+eval +evalsha +get +exists +xlen +xadd +publish +subscribe',
];

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
    for (const [user, rules] of Object.entries({ service, gateway })) {
      const words = rules.flatMap((line) => line.split(' '));
      await raw.sendCommand(['ACL', 'SETUSER', user, 'on', `>${user}-password`, 'resetchannels', ...words]);
    }
  });
  afterAll(() => harness.close());

  test('a service and a gateway need no more than the documented rules', async () => {
    const options = { redisUrl: urlOf('service'), reclaimAfterMs: 200, heartbeatMs: 40 };
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
      redisUrl: urlOf('service'),
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

  test('a gateway cannot read what others asked', async () => {
    const raw = await harness.raw();
    const verdict = await raw.sendCommand([
      'ACL',
      'DRYRUN',
      'gateway',
      'XRANGE',
      '{orders}:requests',
      '-',
      '+',
    ]);
    expect(verdict).toContain('no permissions');
  });
});
