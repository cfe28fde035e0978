import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#libs/testing';
import { serverPid } from './faults/servers.js';
import { processNames } from '../stack/settings.js';
import { siteUnderLoad } from './faults/site-under-load.js';

/** How long (ms) a fault may affect requests. */
const recoveryMs = 10_000;

/** For “Killed processes” in docs/testing.md. */
describe('a site under load', () => {
  const running = siteUnderLoad();

  /** Returns how long (ms) requests were affected. */
  async function killAndRecover(what: string, kill: () => void): Promise<number> {
    const killedAt = performance.now();
    kill();
    await running.load.waitUntilEverythingWorks(killedAt);
    const lastFailedAt = Math.max(killedAt, ...running.load.failures(killedAt).map(({ ended }) => ended));
    await eventually(
      async () => {
        for (const { health } of Object.values(running.site.stack.services).flat())
          expect((await fetch(`${health}/readyz`)).status).toBe(200);
      },
      { intervalMs: 200 },
    );
    await running.load.waitUntilEverythingWorks(performance.now());
    console.log(
      `kill -9 of ${what}: requests were affected for ${Math.round(lastFailedAt - killedAt)} ms; ${running.load.summary(killedAt)}`,
    );
    return lastFailedAt - killedAt;
  }

  const replicas = processNames.flatMap((name) => [0, 1].map((index) => [name, index] as const));
  test.each(replicas)('recovers when replica %s %i is killed', async (name, index) => {
    const { pid } = running.site.stack.services[name]![index]!;
    const from = performance.now();
    expect(await killAndRecover(`${name} ${index}`, () => process.kill(pid, 'SIGKILL'))).toBeLessThan(
      recoveryMs,
    );
    expect(running.site.stack.services[name]![index]!.pid).not.toBe(pid);
    // The other replica answers the requests, which wait in Redis or, for web, are repeated by the gateway. Only a killed gateway loses some.
    if (name !== 'gateway') expect(running.load.failures(from)).toEqual([]);
  });

  test.each(['redis', 'postgres'] as const)('recovers when %s is killed', async (server) => {
    const pid = serverPid(running.site, server);
    expect(await killAndRecover(server, () => process.kill(pid, 'SIGKILL'))).toBeLessThan(recoveryMs);
    expect(serverPid(running.site, server)).not.toBe(pid);
  });

  test('recovers when both replicas of a service are killed at the same time', async () => {
    const pids = running.site.stack.services.orders!.map(({ pid }) => pid);
    const affectedMs = await killAndRecover('both replicas of orders', () =>
      pids.forEach((pid) => process.kill(pid, 'SIGKILL')),
    );
    expect(affectedMs).toBeLessThan(recoveryMs);
  });

  test('stores acknowledged writes, and the mails about them, exactly once', async () => {
    await running.load.stop();
    expect(running.load.acknowledged.message.size).toBeGreaterThan(100);
    expect(running.load.acknowledged.order.size).toBeGreaterThan(100);
    expect(await running.load.problems(running.site.stack.databases)).toEqual([]);
    const { message, order } = running.load.acknowledged;
    console.log(
      `in total: ${running.load.summary()}; ${message.size} messages and ${order.size} orders, each stored once`,
    );
    const messaging = new pg.Client({ connectionString: running.site.stack.databases.messaging });
    await messaging.connect();
    try {
      await eventually(
        async () => {
          const { rows } = await messaging.query(
            `SELECT template, count(*)::int AS mails, count(DISTINCT about)::int AS records
             FROM mails WHERE state = 'sent' AND about IS NOT NULL GROUP BY template ORDER BY template`,
          );
          const oncePerRecord = (template: string, mails: number) => ({ template, mails, records: mails });
          // The customer gets a mail about each order. An admin gets at most 20 mails about orders and 60 about messages in an hour. All
          // messages have the same sender, who gets one acknowledgement a day.
          expect(rows).toEqual([
            oncePerRecord('adminOrderPlaced', 20),
            oncePerRecord('messageAcknowledged', 1),
            oncePerRecord('messageReceived', 60),
            oncePerRecord('orderPlaced', order.size),
          ]);
        },
        { intervalMs: 500 },
      );
    } finally {
      await messaging.end();
    }
  });
});
