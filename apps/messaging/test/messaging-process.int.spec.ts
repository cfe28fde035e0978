import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  freshDatabase,
  freshRedis,
  startServiceProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';

describe('messaging as a process', () => {
  let database: TestDatabase;
  let redis: TestRedis;

  beforeAll(async () => {
    [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  });
  afterAll(() => Promise.all([database.drop(), redis.stop()]));

  test('two replicas boot at once on an empty database, are ready, and exit with 0 on SIGTERM', async () => {
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, PUBLIC_URL: 'http://localhost:3000' };
    const replicas = [startServiceProcess('messaging', env), startServiceProcess('messaging', env)];
    await Promise.all(replicas.map((replica) => replica.ready()));
    for (const { child } of replicas) child.kill('SIGTERM');
    expect(await Promise.all(replicas.map(({ exited }) => exited))).toEqual([0, 0]);
  });
});
