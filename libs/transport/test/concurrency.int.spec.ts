import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { closeConnection, createConnection } from '../src/connection.js';
import { StreamConsumer } from '../src/stream-consumer.js';
import { Harness } from './fixture/harness.js';

const stream = 'stream';
const group = 'group';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start();
});
afterAll(() => harness.close());

test('entries that are claimed while a read is under way count towards the concurrency', async () => {
  const raw = await harness.raw();
  // Added together, so that one read gets both.
  const addTwo = (first: string, second: string) =>
    raw.multi().xAdd(stream, '*', { number: first }).xAdd(stream, '*', { number: second }).exec();
  await raw.xGroupCreate(stream, group, '0', { MKSTREAM: true });
  await addTwo('1', '2');
  await raw.xReadGroup(group, 'killed', { key: stream, id: '>' });

  const started: string[] = [];
  const handlerEnds: (() => void)[] = [];
  const redis = createConnection(harness.redis.url, 'commands', harness.logger);
  await redis.connect();
  const consumer = new StreamConsumer(redis, {
    ...{ redisUrl: harness.redis.url, stream, group, consumer: 'replacement' },
    ...{ concurrency: 2, takeOverAfterMs: 100, deleteWhenDone: true, maxDeliveries: 9 },
    retryDelayMs: () => 0,
    log: harness.logger,
    handle: async ({ fields }) => {
      started.push(fields.number!);
      await new Promise<void>((end) => handlerEnds.push(end));
      return { verdict: 'done' };
    },
  });
  try {
    await consumer.start();
    // The consumer’s read, which can bring two new entries, is under way when `beat` claims the two entries of `killed`.
    await eventually(async () =>
      expect(await raw.sendCommand(['CLIENT', 'LIST'])).toContain('cmd=xreadgroup'),
    );
    await eventually(async () => {
      await consumer.beat();
      expect(started).toEqual(['1', '2']);
    });
    await addTwo('3', '4');
    await eventually(async () => expect((await raw.xPending(stream, group)).pending).toBe(4));
    // The oldest entry was delivered to `killed` and to `replacement`. Heartbeats do not count as deliveries.
    await eventually(async () => {
      await consumer.beat();
      const [oldest] = await raw.xPendingRange(stream, group, '-', '+', 1);
      expect(oldest!.deliveriesCounter).toBe(2);
    });
    expect([started, consumer.runningHandlers]).toEqual([['1', '2'], 2]);
    for (const startedCount of [3, 4, 4, 4]) {
      handlerEnds.shift()!();
      await eventually(() => expect(started).toHaveLength(startedCount));
      expect(consumer.runningHandlers).toBeLessThanOrEqual(2);
    }
    await eventually(async () => expect(await raw.xLen(stream)).toBe(0));
    expect(started).toEqual(['1', '2', '3', '4']);
  } finally {
    for (const end of handlerEnds) end();
    await consumer.stopReading();
    await consumer.close();
    await closeConnection(redis);
  }
});
