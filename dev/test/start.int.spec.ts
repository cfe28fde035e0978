import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Message, Order } from '#libs/contracts';
import { eventually, fullTest, isFullRun, Session } from '#libs/testing';
import { processIdentity } from '../stack/processes.js';
import { serverPid } from './faults/servers.js';
import { Launch, temporaryDataDir } from './launcher.js';

const running = (pids: number[]) => pids.filter((pid) => processIdentity(pid) !== undefined);

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Each test continues where the previous one stopped. */
describe('a site started on this machine', () => {
  const dataDir = temporaryDataDir();
  let site = new Launch(dataDir.path, { REPLICAS_GATEWAY: '2' });
  let password: string | undefined;
  const launches = [site];

  afterAll(async () => {
    for (const launch of launches) launch.child.kill('SIGTERM');
    await Promise.all(launches.map(({ exited }) => exited));
    dataDir.remove();
  });

  test('serves on a free port when PORT is 0, and prints a generated password', async () => {
    const url = await site.ready();
    expect(new URL(url).port).not.toBe('3000');
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
    password = /Password\s+(\S+)/.exec(site.output)?.[1];
    expect(password).toHaveLength(16);
  });

  test('writes stack.json, readable only by its owner, with every replica of the services, web and gateway', async () => {
    expect(statSync(join(dataDir.path, 'stack.json')).mode & 0o777).toBe(0o600);
    const { stack } = site;
    expect(stack.admin).toEqual({ email: 'admin@example.com', password });
    const standIn = { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as unknown };
    expect(stack).toMatchObject({ mail: standIn, google: standIn });
    const counts = Object.entries(stack.services).map(([name, replicas]) => [name, replicas.length]);
    expect(Object.fromEntries(counts)).toEqual({
      content: 1,
      orders: 1,
      projects: 1,
      messaging: 1,
      identity: 1,
      web: 1,
      gateway: 2,
    });
    for (const { pid, health } of Object.values(stack.services).flat()) {
      expect(running([pid])).toEqual([pid]);
      expect((await fetch(`${health}/readyz`)).status).toBe(200);
    }
  });

  test('has a PayPal simulator at a separate address, and prints it', async () => {
    const { url } = site.stack.paypal!;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(site.output).toContain(url);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('lets the first admin sign in', async () => {
    const response = await fetch(`${site.stack.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site.stack.url },
      body: JSON.stringify({ email: 'admin@example.com', password }),
    });
    expect(response.status).toBe(200);
  });

  test('refuses a second start with the same data, and says why', async () => {
    const second = new Launch(dataDir.path);
    launches.push(second);
    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toMatch(
      /^The site is already running \(process \d+\) with the data in .*\.$/,
    );
    expect(running(site.pids)).toEqual(site.pids);
  });

  test('restarts a crashed service and reports it', async () => {
    const pid = site.stack.services.orders?.[0]?.pid;
    process.kill(pid!, 'SIGKILL');
    await site.waitForOutput(/orders was ended by SIGKILL; restarting it in [\d.]+ s/);
    await site.waitForOutput(/orders is back/);
    expect(site.stack.services.orders?.[0]?.pid).not.toBe(pid);
  });

  test.each(['redis', 'postgres'] as const)('restarts %s after it is killed', async (server) => {
    const pid = serverPid(site, server);
    process.kill(pid, 'SIGKILL');
    await site.waitForOutput(new RegExp(`${server} is back`));
    expect(serverPid(site, server)).not.toBe(pid);
    await eventually(async () => {
      for (const { health } of Object.values(site.stack.services).flat())
        expect((await fetch(`${health}/readyz`)).status).toBe(200);
    });
  });

  fullTest('recovers at the next start after its supervisor was killed, and keeps its data', async () => {
    const { pids } = site;
    // Eight replicas, Redis, Postgres and three stand-ins.
    expect(pids).toHaveLength(13);
    const { identity } = site.stack.databases;
    // As if the supervisor had been killed between creating this database and closing it to the other services.
    await query(identity, 'GRANT CONNECT ON DATABASE identity TO PUBLIC');
    site.child.kill('SIGKILL');
    await site.exited;
    site = new Launch(dataDir.path, { DEMO_DATA: 'yes' });
    launches.push(site);
    await site.ready();
    expect(running(pids)).toEqual([]);
    expect(
      await query(site.stack.databases.orders, "SELECT has_database_privilege('identity', 'CONNECT') AS may"),
    ).toEqual([{ may: false }]);
    expect(site.output).toContain(
      'admin@example.com (for a new password, run: npm run admin -- reset-password)',
    );
    expect(site.output).not.toContain(password);
    expect(site.stack.admin).toEqual({ email: 'admin@example.com' });
  });

  fullTest('makes no demo data at a later start', async () => {
    const admin = await Session.signIn(site.stack.url, { email: 'admin@example.com', password: password! });
    // Messages are among the first demo data to be made, so the list would have them by now.
    const message = {
      fullName: 'Ada',
      emailAddress: 'ada@example.com',
      subject: 'Own',
      message: 'How much?',
    };
    expect((await admin.post('/add-message', message)).status).toBe(201);
    const messages = await admin.get<Message[]>('/messages');
    expect(messages.json.map(({ subject }) => subject)).toEqual(['Own']);
    expect((await admin.get<Order[]>('/orders')).json).toEqual([]);
  });

  test('leaves no process behind on SIGTERM', async () => {
    const { pids } = site;
    // A full run has one replica fewer, because an earlier test has started the site again with one gateway.
    expect(pids).toHaveLength(isFullRun ? 12 : 13);
    expect(running(pids)).toEqual(pids);
    expect(await site.stop()).toBe(0);
    expect(running(pids)).toEqual([]);
  });
});
