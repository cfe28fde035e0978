import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient } from 'redis';
import { eventually, freshDatabase, freshRedis } from '#libs/testing';

describe('a fresh database', () => {
  test('is empty, uses UTF-8 and UTC, and is gone after `drop`', async () => {
    const database = await freshDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('server_encoding') AS encoding, current_setting('timezone') AS zone,
              (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables`,
    );
    expect(rows).toEqual([{ encoding: 'UTF8', zone: 'UTC', tables: 0 }]);
    await database.drop();
    const late = new pg.Client({ connectionString: database.url });
    await expect(late.connect()).rejects.toThrow('does not exist');
  });
});

describe('a fresh Redis', () => {
  const stops: (() => unknown)[] = [];
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  test('requires its password, and restarts empty at the same address', async () => {
    const redis = await freshRedis();
    stops.push(() => redis.stop());
    const client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
    stops.push(() => client.destroy());
    await client.set('held', 'yes');

    const withoutPassword = createClient({
      url: `redis://127.0.0.1:${redis.port}`,
      socket: { reconnectStrategy: false },
    });
    stops.push(() => withoutPassword.destroy());
    withoutPassword.on('error', () => undefined);
    const answer = withoutPassword.connect().then(() => withoutPassword.get('held'));
    await expect(answer).rejects.toThrow(/NOAUTH/);

    await redis.restartEmpty();
    expect(await eventually(() => client.get('held'))).toBeNull();
  });
});
