import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { markOf } from '../stack/processes.js';
import { serverPid } from './faults/servers.js';
import { Launch, temporaryDataDir } from './launcher.js';

const running = (pids: number[]) => pids.filter((pid) => markOf(pid) !== undefined);

/** The life of one site: each test continues where the previous one stopped. */
describe('a site started on this machine', () => {
  const dataDir = temporaryDataDir();
  let site = new Launch(dataDir.path, { REPLICAS_CONTENT: '2', REPLICAS_GATEWAY: '2', REPLICAS_WEB: '2' });
  let password: string | undefined;
  const launches = [site];

  afterAll(async () => {
    for (const launch of launches) launch.child.kill('SIGTERM');
    await Promise.all(launches.map(({ exit }) => exit));
    dataDir.remove();
  });

  test('serves on a free port when PORT is 0, and prints a generated password', async () => {
    const url = await site.ready();
    expect(new URL(url).port).not.toBe('3000');
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    expect(response.status).toBeLessThan(500);
    password = /Password\s+(\S+)/.exec(site.output)?.[1];
    expect(password).toHaveLength(16);
  });

  test('writes stack.json, readable only by its owner, with every process', async () => {
    expect(statSync(join(dataDir.path, 'stack.json')).mode & 0o777).toBe(0o600);
    const { stack } = site;
    expect(stack.admin).toEqual({ email: 'admin@example.com', password });
    const standIn = { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as unknown };
    expect(stack).toMatchObject({ mail: standIn, google: standIn });
    const counts = Object.entries(stack.services).map(([name, replicas]) => [name, replicas.length]);
    expect(Object.fromEntries(counts)).toEqual({
      content: 2,
      orders: 1,
      projects: 1,
      messaging: 1,
      identity: 1,
      web: 2,
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

  test('refuses a second start with the same data in one sentence', async () => {
    const second = new Launch(dataDir.path);
    launches.push(second);
    expect(await second.exit).toBe(1);
    expect(second.output.trim()).toMatch(
      /^The site is already running \(process \d+\) with the data in .*\.$/,
    );
    expect(running(site.pids)).toEqual(site.pids);
  });

  test('restarts a crashed service and reports it', async () => {
    const pid = site.stack.services.orders?.[0]?.pid;
    process.kill(pid!, 'SIGKILL');
    await site.said(/orders was ended by SIGKILL; restarting it in [\d.]+ s/);
    await site.said(/orders is back/);
    expect(site.stack.services.orders?.[0]?.pid).not.toBe(pid);
  });

  test.each(['redis', 'postgres'] as const)('starts %s again when it was killed', async (server) => {
    const pid = serverPid(site, server);
    process.kill(pid, 'SIGKILL');
    await site.said(new RegExp(`${server} is back`));
    expect(serverPid(site, server)).not.toBe(pid);
    await eventually(async () => {
      for (const { health } of Object.values(site.stack.services).flat())
        expect((await fetch(`${health}/readyz`)).status).toBe(200);
    });
  });

  test('leaves no process behind on SIGTERM', async () => {
    const { pids } = site;
    expect(pids.length).toBeGreaterThanOrEqual(13);
    expect(await site.stop()).toBe(0);
    expect(running(pids)).toEqual([]);
  });

  test('has its data at the next start, and does not print the password again', async () => {
    site = new Launch(dataDir.path, { PAYPAL_MODE: 'sandbox' });
    launches.push(site);
    await site.ready();
    expect(site.output).toContain('admin@example.com (new password: npm run admin -- reset-password)');
    expect(site.output).not.toContain(password);
    expect(site.stack.admin).toEqual({ email: 'admin@example.com' });
  });

  test('starts no simulator if customers pay with the real PayPal', () => {
    expect(site.stack.paypal).toBeNull();
    expect(site.output).not.toMatch(/paypal/i);
  });

  test('recovers when its supervisor was killed', async () => {
    const { pids } = site;
    site.child.kill('SIGKILL');
    await site.exit;
    site = new Launch(dataDir.path);
    launches.push(site);
    await site.ready();
    expect(running(pids)).toEqual([]);
    const { pids: newPids } = site;
    expect(await site.stop()).toBe(0);
    await eventually(() => expect(running(newPids)).toEqual([]));
  });
});
