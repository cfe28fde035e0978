import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import autocannon from 'autocannon';
import { eventually, Session } from '#libs/testing';
import { Launch, temporaryDataDir } from './launcher.js';

const person = { email: 'buyer@example.com', password: 'a fine long password' };
const message = {
  fullName: 'Ada',
  emailAddress: 'ada@example.com',
  subject: 'Hello',
  message: 'Is anybody there?',
  messageStatus: 'UnRead',
};
const headers = { accept: 'application/json', 'content-type': 'application/json' };
/** One address stands in for a crowd. */
const unlimited = { LIMIT_FORMS: '900000/600', LIMIT_SIGN_IN: '900000/600' };

/**
 * The fifth row of the table of faults in docs/testing.md. Its short forms in `npm test`: `overload` and `queue-limit` of libs/transport, `hashing-gate` of
 * apps/identity, `rate-limits` of apps/gateway.
 */
describe('a crowd many times larger than it can bear', () => {
  const data = temporaryDataDir();
  let site: Launch;
  let visitor: Session;
  beforeAll(async () => {
    site = new Launch(data.path, unlimited);
    visitor = Session.visitor(await site.ready());
    await Session.register(site.stack.url, person);
  }, 120_000);
  afterAll(async () => {
    await site.stop();
    data.remove();
  }, 60_000);

  /** Resident memory of these processes together, in MB (proc(5)). */
  function memory(pids: number[]): number {
    const resident = (pid: number) =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return pids.reduce((sum, pid) => sum + resident(pid), 0) / 1024;
  }

  const pidsOf = (...names: string[]) =>
    names.flatMap((name) => site.stack.services[name]!.map(({ pid }) => pid));

  /** Runs `work` and gives what it gives, with the most memory (MB) in its first and in its second half. */
  async function watched<T>(
    pids: number[],
    work: Promise<T>,
  ): Promise<{ result: T; halves: [number, number] }> {
    const samples: number[] = [];
    let over = false;
    const done = work.finally(() => (over = true));
    while (!over) {
      samples.push(memory(pids));
      await Promise.race([wait(100), done]);
    }
    const half = Math.ceil(samples.length / 2);
    return {
      result: await done,
      halves: [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))],
    };
  }

  interface Flood {
    path: string;
    body: object;
    /** Each asks again as soon as it is answered. */
    connections: number;
    seconds: number;
  }

  async function flood({ path, body, connections, seconds }: Flood) {
    return await autocannon({
      url: site.stack.url + path,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      connections,
      duration: seconds,
      timeout: 30,
    });
  }

  test.each([
    ['messages, which wait in a queue', '/add-message', message, 201, 2_000, 'messaging'],
    ['sign-ins, which cost a core each', '/auth/login', person, 200, 500, 'identity'],
  ] as const)(
    '%s: the rest is refused, memory stays flat, and all is well afterwards',
    async (_name, path, body, status, connections, service) => {
      expect((await visitor.post(path, body)).status).toBe(status);
      const pids = pidsOf('gateway', service);
      const call = { path, body };
      // The first flood fills buffers and heaps to what they need, and the queue.
      await flood({ ...call, connections, seconds: 5 });
      const { result, halves } = await watched(pids, flood({ ...call, connections, seconds: 15 }));
      const statuses = Object.keys(result.statusCodeStats ?? {}).map(Number);
      // Each request has an answer, and that is one of three.
      expect([result.errors, result.timeouts]).toEqual([0, 0]);
      expect(statuses.filter((one) => ![status, 429, 503].includes(one))).toEqual([]);
      expect(statuses).toEqual(expect.arrayContaining([status, 503]));
      expect(halves[1]).toBeLessThan(halves[0] * 1.25);
      await eventually(async () => expect((await visitor.post(path, body)).status).toBe(status), {
        timeoutMs: 30_000,
      });
      expect((await visitor.get('/banner')).status).toBe(200);
      expect(pidsOf('gateway', service)).toEqual(pids);
    },
    120_000,
  );
});
