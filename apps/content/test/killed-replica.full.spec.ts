import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentContract, type ContentRecord, visitor } from '#libs/contracts';
import { sections } from '#libs/content-model';
import {
  actors,
  eventually,
  freshDatabase,
  freshRedis,
  sampleBody,
  type BuiltProcess,
  startBuiltProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';
import { RpcClient } from '#libs/transport';

let database: TestDatabase;
let redis: TestRedis;
let client: RpcClient;
const processes: BuiltProcess[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  await client.connect();
});

afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ exited }) => exited));
  await client.close();
  await Promise.all([redis.stop(), database.drop()]);
});

test('a replica is killed during writes: every write is answered, and none is lost or repeated', async () => {
  const start = () => startBuiltProcess('content', { DATABASE_URL: database.url, REDIS_URL: redis.url });
  const [victim, survivor] = [start(), start()];
  processes.push(victim, survivor);
  await Promise.all([victim.ready(), survivor.ready()]);

  const answered: ContentRecord[] = [];
  const writes = Array.from({ length: 200 }, async (_, index) => {
    const body = sampleBody(sections.testimonial, index);
    const call = { section: 'testimonial', body };
    answered.push(
      await client.call(contentContract.create, call, { actor: actors.admin, deadlineMs: 30_000 }),
    );
  });
  await eventually(() => expect(answered.length).toBeGreaterThan(20), { intervalMs: 1 });
  victim.child.kill('SIGKILL');
  await victim.exited;
  expect(answered.length).toBeLessThan(200);
  await Promise.all(writes);

  const stored = await client.call(contentContract.list, { section: 'testimonial' }, { actor: visitor });
  const byId = (a: ContentRecord, b: ContentRecord) => a._id.localeCompare(b._id);
  expect(stored.toSorted(byId)).toEqual(answered.toSorted(byId));
  expect(new Set(stored.map(({ desc }) => desc)).size).toBe(200);
  const { version } = await client.call(contentContract.version, {}, { actor: visitor });
  expect(version).toBe(200);
});
