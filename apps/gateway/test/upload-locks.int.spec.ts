import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { eventually, freshRedis, type TestRedis } from '#libs/testing';
import { createLogger } from '#libs/platform';
import { Broadcaster, redisAclLines } from '#libs/transport';
import type { GatewayConfig } from '../config.js';
import { UploadLocks } from '../project-files/upload-locks.js';

let redis: TestRedis;
let client: ReturnType<typeof createClient>;
let broadcaster: Broadcaster;
let locks: UploadLocks;
beforeAll(async () => {
  redis = await freshRedis(() => redisAclLines((user) => `${user}-password`));
  client = createClient({ url: redis.url });
  const { href: redisUrl } = Object.assign(new URL(redis.url), {
    ...{ username: 'gateway', password: 'gateway-password' },
  });
  broadcaster = new Broadcaster({ redisUrl, name: 'test' });
  await Promise.all([client.connect(), broadcaster.connect()]);
  locks = new UploadLocks(
    { REDIS_URL: redisUrl } as GatewayConfig,
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

const keyOf = (id: string) => `gateway:upload:${id}`;

/** `askedToEnd.count` is how often the request was asked to end. */
async function lockUpload(id: string) {
  const lock = locks.newLock(id);
  const askedToEnd = { count: 0 };
  // The connection to Redis may not be open yet.
  await eventually(() => lock.lock(AbortSignal.timeout(5_000), () => void (askedToEnd.count += 1)));
  return { lock, askedToEnd };
}

test('a request that has lost its lock is asked to end, and the next request of the same gateway keeps its lock', async () => {
  const id = randomUUID();
  const key = keyOf(id);
  const first = await lockUpload(id);
  // As if this process had been suspended for longer than a lease.
  await client.del(key);
  const second = await lockUpload(id);
  await eventually(() => expect(first.askedToEnd.count).toBeGreaterThan(0));
  await first.lock.unlock();
  expect(second.askedToEnd.count).toBe(0);
  expect(await client.exists(key)).toBe(1);
  await second.lock.unlock();
  expect(await client.exists(key)).toBe(0);
});

/**
 * Lets another gateway take the lock for a minute, just before Redis carries out this gateway's next command on the lock. The command comes from
 * `work` or is a renewal, and is late as if this process had been suspended, or its connection had stalled.
 */
async function takeOver(id: string, work: () => Promise<void> | void) {
  const otherClient = client.duplicate();
  await otherClient.connect();
  const otherId = await otherClient.sendCommand<number>(['CLIENT', 'ID']);
  const waitForPostponed = async (isExpected: (line: string) => boolean) =>
    eventually(async () => {
      const clients = (await client.sendCommand<string>(['CLIENT', 'LIST'])).split('\n');
      // Redis gives the flag b (blocked) to a client whose command `CLIENT PAUSE` postpones.
      expect(clients.filter((line) => line.includes(' flags=b ')).some(isExpected)).toBe(true);
    });
  const isOther = (line: string) => line.startsWith(`id=${otherId} `);
  await client.sendCommand(['CLIENT', 'PAUSE', '60000', 'WRITE']);
  try {
    const taken = otherClient.set(keyOf(id), 'another gateway', {
      expiration: { type: 'PX', value: 60_000 },
    });
    await waitForPostponed(isOther);
    const done = work();
    await waitForPostponed((line) => !isOther(line));
    await client.sendCommand(['CLIENT', 'UNPAUSE']);
    await Promise.all([taken, done]);
  } finally {
    await client.sendCommand(['CLIENT', 'UNPAUSE']);
    otherClient.destroy();
  }
}

test('unlocking leaves a lock that another gateway has taken meanwhile', async () => {
  const id = randomUUID();
  const { lock } = await lockUpload(id);
  await takeOver(id, () => lock.unlock());
  expect(await client.get(keyOf(id))).toBe('another gateway');
});

test('a renewal does not change the lease of another gateway that has taken the lock meanwhile', async () => {
  const id = randomUUID();
  const { lock, askedToEnd } = await lockUpload(id);
  // The next renewal comes by itself.
  await takeOver(id, () => undefined);
  await eventually(() => expect(askedToEnd.count).toBeGreaterThan(0));
  expect(await client.pTTL(keyOf(id))).toBeGreaterThan(30_000);
  await lock.unlock();
});
