import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { broadcasts, visitor } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { Broadcaster, EventPublisher } from '../src/index.js';
import { fixtureContract } from './fixture/contracts.js';
import { Harness } from './fixture/harness.js';

describe('Redis restarted empty', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await Harness.start();
  });
  afterAll(() => harness.close());

  test('calls in flight and calls after the restart are answered, and broadcasts arrive again', async () => {
    const replica = await harness.replica('a');
    const client = await harness.client({ outageToleranceMs: 10_000 });
    const options = { redisUrl: harness.redis.url, name: 'spec', logger: harness.logger };
    const broadcaster = new Broadcaster(options);
    const publisher = new EventPublisher(options);
    await Promise.all([broadcaster.connect(), publisher.connect()]);
    const heard: unknown[] = [];
    let reconnects = 0;
    await broadcaster.subscribe(broadcasts.contentVersion, (payload) => heard.push(payload));
    broadcaster.onReconnect(() => reconnects++);
    const runId = await publisher.redisRunId();

    const inFlight = client.call(fixtureContract.wait, { ms: 300, label: 'in flight' }, { actor: visitor });
    await eventually(() => expect(replica.runs).toHaveLength(1));
    await harness.redis.restartEmpty();

    expect(await inFlight).toEqual({ replica: 'a' });
    for (let index = 0; index < 5; index++) {
      const text = `after ${index}`;
      expect(await client.call(fixtureContract.echo, { text }, { actor: visitor })).toEqual({ text });
    }
    await eventually(() => expect(reconnects).toBe(1));
    await eventually(() => broadcaster.publish(broadcasts.contentVersion, { version: 2 }));
    await eventually(() => expect(heard).toEqual([{ version: 2 }]));
    await eventually(async () => expect(await publisher.redisRunId()).not.toBe(runId));
    await eventually(async () => expect(await replica.server.readQueueStats()).toMatchObject({ length: 0 }));
    await Promise.all([broadcaster.close(), publisher.close()]);
  });

  test('calls are also answered after the stream of requests was deleted', async () => {
    // The replica of the first test is still running, and answers.
    const client = await harness.client();
    const raw = await harness.raw();
    await raw.del('{orders}:requests');
    const call = client.call(fixtureContract.echo, { text: 'still here' }, { actor: visitor });
    await expect(call).resolves.toEqual({ text: 'still here' });
  });
});
