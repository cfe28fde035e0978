import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  eventually,
  freshDatabase,
  freshRedis,
  type BuiltProcess,
  startBuiltProcess,
  type TcpGate,
  startTcpGate,
  type TestDatabase,
  type TestRedis,
} from '#libs/testing';

const preload = fileURLToPath(new URL('block-lookups.mjs', import.meta.url));

let database: TestDatabase;
let redis: TestRedis;
let folder: string;
const gates: TcpGate[] = [];
let running: BuiltProcess | undefined;
const web = createServer((_request, response) => response.writeHead(503).end());

beforeAll(async () => {
  [database, redis, folder] = await Promise.all([
    freshDatabase(),
    freshRedis(),
    mkdtemp(join(tmpdir(), 'lookups-')),
  ]);
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
});
afterAll(async () => {
  web.close();
  await Promise.all([database.drop(), redis.stop(), rm(folder, { recursive: true })]);
});

/** Returns a URL that leads to `url` through a gate, and whose host name has to be looked up. */
async function byName(url: string): Promise<string> {
  const gate = await startTcpGate(url);
  gates.push(gate);
  return gate.url.replace('127.0.0.1', 'localhost');
}

const untilLogged = ({ log }: BuiltProcess, message: string) =>
  eventually(() => expect(log.map(({ msg }) => msg)).toContain(message));

const settings = {
  gateway: async () => ({
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://site.test',
    IMAGES_DIR: folder,
    WEB_URL: (await byName(`http://127.0.0.1:${(web.address() as AddressInfo).port}`)).replace(/\/$/, ''),
    SHUTDOWN_DELAY_MS: '2000',
  }),
  content: async () => ({ DATABASE_URL: await byName(database.url) }),
};

test.each(['gateway', 'content'] as const)(
  'a stopping %s ends even if all its connections break and no name server answers',
  async (name) => {
    const fifo = join(folder, name);
    running = startBuiltProcess(name, {
      ...(await settings[name]()),
      REDIS_URL: await byName(redis.url),
      NODE_OPTIONS: `--import ${preload}`,
      BLOCKING_FIFO: fifo,
    });
    await untilLogged(running, 'Ready');
    // From now on, a name lookup never ends (`block-lookups.mjs`).
    execFileSync('mkfifo', [fifo]);
    running.child.kill('SIGTERM');
    await untilLogged(running, 'Stopping');
    await Promise.all(gates.map((gate) => gate.shut()));
    expect(await running.exited).toBe(0);
  },
);
