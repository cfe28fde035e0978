import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { eventually, freshRedis, type TestRedis } from '#libs/testing';
import { createLogger } from '#libs/platform';
import { Broadcaster } from '#libs/transport';
import type { GatewayConfig } from '../config.js';
import { UploadLocks } from '../project-files/upload-locks.js';

let redis: TestRedis;
let client: ReturnType<typeof createClient>;
let broadcaster: Broadcaster;
let locks: UploadLocks;
beforeAll(async () => {
  redis = await freshRedis();
  client = createClient({ url: redis.url });
  broadcaster = new Broadcaster({ redisUrl: redis.url, name: 'test' });
  await Promise.all([client.connect(), broadcaster.connect()]);
  locks = new UploadLocks(
    { REDIS_URL: redis.url } as GatewayConfig,
    createLogger('test', 'fatal'),
    broadcaster,
  );
  locks.onApplicationBootstrap();
});
afterAll(async () => {
  await locks?.onApplicationShutdown();
  await broadcaster?.close();
  client?.destroy();
  await redis?.stop();
});

/** Locks the upload as a request does. `askedToEnd.count` is how often the request was asked to end. */
async function lockUpload(id: string) {
  const lock = locks.newLock(id);
  const askedToEnd = { count: 0 };
  await eventually(() => lock.lock(AbortSignal.timeout(5_000), () => void (askedToEnd.count += 1)));
  return { lock, askedToEnd };
}

test('a request that has lost its lock is asked to end, and the next request of the same gateway keeps its lock', async () => {
  const id = randomUUID();
  const key = `gateway:upload:${id}`;
  const first = await lockUpload(id);
  // As if this process had stood still for longer than a lease.
  await client.del(key);
  const second = await lockUpload(id);
  await eventually(() => expect(first.askedToEnd.count).toBeGreaterThan(0));
  await first.lock.unlock();
  expect(second.askedToEnd.count).toBe(0);
  expect(await client.exists(key)).toBe(1);
  await second.lock.unlock();
  expect(await client.exists(key)).toBe(0);
});
