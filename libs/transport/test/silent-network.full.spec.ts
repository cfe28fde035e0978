import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Broadcaster, EventPublisher } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';
import { silentNetwork } from './fixture/silent-network.js';

describe('a network that drops packets without closing connections', () => {
  let harness: Harness;
  let network: Awaited<ReturnType<typeof silentNetwork>>;
  beforeAll(async () => {
    harness = await Harness.start();
    network = await silentNetwork(harness.redis.url);
  });
  afterAll(async () => {
    await harness.close();
    await network.close();
  });

  test('replica, client, publisher and broadcaster notice it and reconnect', async () => {
    await harness.replica('a', { redisUrl: network.url });
    const client = await harness.client({ redisUrl: network.url });
    const options = { redisUrl: network.url, name: 'spec', logger: harness.logger };
    const publisher = new EventPublisher(options);
    const broadcaster = new Broadcaster(options);
    await Promise.all([publisher.connect(), broadcaster.connect()]);
    const heard: unknown[] = [];
    await broadcaster.subscribe(broadcasts.adminsChanged, (payload) => heard.push(payload));
    const echo = (deadlineMs: number) =>
      client.call(fixtureContract.echo, { text: 'x' }, { actor: visitor, deadlineMs });
    await echo(1000);

    network.swallow();
    await expect(echo(6000)).rejects.toMatchObject({ code: 'TIMEOUT' });
    await eventually(() => expect(echo(500)).resolves.toEqual({ text: 'x' }));
    const event = { id: 'e', event: 'content.itemCounted', payload: {}, occurredAt: new Date() };
    await eventually(() => publisher.publish([event]));
    await eventually(async () => {
      await broadcaster.publish(broadcasts.adminsChanged, {});
      expect(heard).not.toEqual([]);
    });
    await Promise.all([publisher.close(), broadcaster.close()]);
  });
});
