import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { EventPublisher } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('Redis without memory left (maxmemory, noeviction)', () => {
  let harness: Harness;
  let publisher: EventPublisher;
  beforeAll(async () => {
    harness = await Harness.start();
    publisher = new EventPublisher({ redisUrl: harness.redis.url, name: 'spec', logger: harness.logger });
    await publisher.connect();
  });
  afterAll(async () => {
    await publisher.close();
    await harness.close();
  });

  test('admitted requests are answered; new requests and events are refused until there is memory; nothing is evicted', async () => {
    const replica = await harness.replica('a');
    const client = await harness.client();
    const event = {
      id: 'one',
      event: 'content.itemCounted',
      payload: { item: 'item', version: 1, count: 1 },
      occurredAt: new Date('2026-11-21T10:00:00Z'),
    };
    const raw = await harness.raw();
    const before = await raw.dbSize();
    const inFlight = client.call(fixtureContract.wait, { ms: 300, label: 'taken' }, { actor: visitor });
    await eventually(() => expect(replica.runs).toHaveLength(1));

    await raw.configSet('maxmemory', '1');
    await expect(
      client.call(fixtureContract.echo, { text: 'new' }, { actor: visitor }),
    ).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { retryAfterSeconds: 1 },
    });
    await expect(publisher.publish([event])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await inFlight).toEqual({ replica: 'a' });
    expect(replica.runs).toHaveLength(1);
    expect(await raw.dbSize()).toBeGreaterThanOrEqual(before);

    await raw.configSet('maxmemory', '0');
    await eventually(async () =>
      expect(await client.call(fixtureContract.echo, { text: 'again' }, { actor: visitor })).toEqual({
        text: 'again',
      }),
    );
    await expect(publisher.publish([event])).resolves.toBeUndefined();
  });
});
