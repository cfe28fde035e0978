import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { contentContract, system } from '#libs/contracts';
import { allSections, type SectionName } from '#libs/content-model';
import {
  eventually,
  freshDatabase,
  freshRedis,
  startBuiltProcess,
  type BuiltProcess,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { demoContent } from '../seed/demo-content.js';
import { startReplicaOn } from './content.harness.js';

let database: TestDatabase;
let redis: TestRedis;
let client: RpcClient;
let sql: pg.Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  sql = new pg.Client({ connectionString: database.url });
  await Promise.all([client.connect(), sql.connect()]);
});

afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ exited }) => exited));
  await Promise.all([client.close(), sql.end()]);
  await Promise.all([redis.stop(), database.drop()]);
});

const processes: BuiltProcess[] = [];

function start(SEED: string): BuiltProcess {
  const started = startBuiltProcess('content', { DATABASE_URL: database.url, REDIS_URL: redis.url, SEED });
  processes.push(started);
  return started;
}

async function stop(started: BuiltProcess): Promise<number | null> {
  started.child.kill('SIGTERM');
  return started.exited;
}

const snapshot = () => client.call(contentContract.snapshot, {}, { actor: system });
const recordCount = Object.values(demoContent).flat().length;

describe('the demo content', () => {
  test('is seeded once by three processes that start on an empty database at the same time', async () => {
    const replicas = [start('demo'), start('demo'), start('demo')];
    await Promise.all(replicas.map((each) => each.ready()));
    const site = await snapshot();
    expect(site.version).toBe(recordCount);
    for (const { name } of allSections) {
      const bodies = site.sections[name]!.map(({ _id, createdAt, updatedAt, version, ...body }) => body);
      expect(bodies).toEqual(demoContent[name as SectionName]);
    }
    expect(
      replicas.filter(({ log }) => log.some(({ msg }) => msg === 'Seeded the demo content')),
    ).toHaveLength(1);
    await eventually(async () => {
      const { rows } = await sql.query(
        'SELECT count(*)::int AS published FROM outbox_messages WHERE sent_at IS NOT NULL',
      );
      expect(rows).toEqual([{ published: recordCount }]);
    });
    expect(await Promise.all(replicas.map(stop))).toEqual([0, 0, 0]);
  });

  test('is not seeded again after everything was deleted', async () => {
    await sql.query('DELETE FROM entries');
    const content = await startReplicaOn({ databaseUrl: database.url, redisUrl: redis.url }, 'demo');
    expect(Object.values((await snapshot()).sections).flat()).toEqual([]);
    await content.close();
  });

  test('is not seeded if SEED is none', async () => {
    // Version 0 means that the site has never had content, so SEED decides.
    await sql.query('UPDATE site_version SET version = 0');
    const content = await startReplicaOn({ databaseUrl: database.url, redisUrl: redis.url }, 'none');
    expect(Object.values((await snapshot()).sections).flat()).toEqual([]);
    await content.close();
  });

  test('is not seeded if SEED is neither demo nor none: the process exits with 78 and a message that names SEED', async () => {
    const content = start('yes');
    expect(await content.exited).toBe(78);
    expect(content.stderr).toContain('SEED: must be one of demo, none');
  });
});
