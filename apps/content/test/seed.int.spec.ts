import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contentContract, visitor } from '#libs/contracts';
import { allSections, type SectionName } from '#libs/content-model';
import { eventually, freshDatabase, freshRedis, type TestDatabase, type TestRedis } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import pg from 'pg';
import { demoContent } from '../seed/demo-content.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let database: TestDatabase;
let redis: TestRedis;
let client: RpcClient;
let sql: pg.Client;
const running = new Set<ContentProcess>();

beforeAll(async () => {
  [database, redis] = await Promise.all([freshDatabase(), freshRedis()]);
  client = new RpcClient({ redisUrl: redis.url, caller: 'test' });
  sql = new pg.Client({ connectionString: database.url });
  await Promise.all([client.connect(), sql.connect()]);
});

afterAll(async () => {
  for (const each of running) each.process.kill('SIGKILL');
  await Promise.all([client.close(), sql.end()]);
  await Promise.all([redis.stop(), database.drop()]);
});

type ContentProcess = ReturnType<typeof startProcess>;

/** `apps/content/main.ts` as it is shipped, in a process of its own. */
function startProcess(seed: string) {
  const process = spawn(
    globalThis.process.execPath,
    ['--import', './dev/register-swc.mjs', 'apps/content/main.ts'],
    {
      cwd: root,
      env: {
        PATH: globalThis.process.env.PATH,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        SEED: seed,
      },
    },
  );
  const output: string[] = [];
  process.stdout.on('data', (chunk) => output.push(String(chunk)));
  process.stderr.on('data', (chunk) => output.push(String(chunk)));
  const exited = once(process, 'exit').then(([code]) => code as number);
  const started = { process, exited, output: () => output.join('') };
  running.add(started);
  void exited.then(() => running.delete(started));
  return started;
}

const ready = (each: ContentProcess) =>
  eventually(() => expect(each.output()).toContain('"Ready"'), { timeoutMs: 40_000 });

async function stop(...processes: ContentProcess[]): Promise<void> {
  for (const each of processes) each.process.kill('SIGTERM');
  expect(await Promise.all(processes.map((each) => each.exited))).toEqual(processes.map(() => 0));
}

const snapshot = () => client.call(contentContract.snapshot, {}, { actor: visitor });
const total = Object.values(demoContent).flat().length;

describe('the demo content', () => {
  test('is seeded once by three processes that start together into an empty database', async () => {
    const processes = [startProcess('demo'), startProcess('demo'), startProcess('demo')];
    await Promise.all(processes.map(ready));
    const site = await snapshot();
    expect(site.version).toBe(total);
    for (const { name } of allSections) {
      const bodies = site.sections[name]!.map(({ _id, createdAt, updatedAt, version, ...body }) => body);
      expect(bodies).toEqual(demoContent[name as SectionName]);
    }
    expect(processes.filter((each) => each.output().includes('Seeded the demo content'))).toHaveLength(1);
    await eventually(async () => {
      const { rows } = await sql.query(
        'SELECT count(*)::int AS told FROM outbox_messages WHERE sent_at IS NOT NULL',
      );
      expect(rows).toEqual([{ told: total }]);
    });
    await stop(...processes);
  });

  test('does not come back once everything was deleted', async () => {
    await sql.query('DELETE FROM entries');
    const process = startProcess('demo');
    await ready(process);
    expect(Object.values((await snapshot()).sections).flat()).toEqual([]);
    await stop(process);
  });

  test('is left out on request', async () => {
    await sql.query('UPDATE site_version SET version = 0');
    const process = startProcess('none');
    await ready(process);
    expect(Object.values((await snapshot()).sections).flat()).toEqual([]);
    await stop(process);
  });

  test('is a choice: any other word stops the process and names the setting', async () => {
    const process = startProcess('yes');
    expect(await process.exited).toBe(78);
    expect(process.output()).toContain('SEED: must be one of demo, none');
  });
});
