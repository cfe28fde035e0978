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
/** One address stands in for a crowd that writes; signing in, it is the one address that it is, with a window to wait for. */
const limits = { LIMIT_FORMS: '900000/600', LIMIT_SIGN_IN: '100/5' };

/** How many requests a service lets wait (`maxQueue` of libs/transport). */
const queue = 1_000;

/**
 * The fifth row of the fault table (targets.md). Its short forms in `npm test`: `overload` of libs/transport, `hashing-gate` of
 * apps/identity, `rate-limits` of apps/gateway.
 */
describe('five times what it can bear', () => {
  const data = temporaryDataDir();
  let site: Launch;
  let visitor: Session;
  beforeAll(async () => {
    site = new Launch(data.path, limits);
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
    connections: number;
    seconds: number;
    /** Requests a second, over all connections; as many as are answered when left out. */
    rate?: number;
  }

  async function flood({ path, body, connections, seconds, rate }: Flood) {
    return await autocannon({
      url: site.stack.url + path,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      connections,
      duration: seconds,
      timeout: 30,
      ...(rate !== undefined && { overallRate: rate }),
    });
  }

  test.each([
    ['messages, which wait in a queue', '/add-message', message, 201, queue * 2, 'messaging', 503],
    ['sign-ins, which cost a core each', '/auth/login', person, 200, 250, 'identity', 429],
  ] as const)(
    '%s: the rest is refused, memory stays flat, and all is well afterwards',
    async (_name, path, body, status, connections, service, refusal) => {
      expect((await visitor.post(path, body)).status).toBe(status);
      const pids = pidsOf('gateway', service);
      const call = { path, body };
      const borne = await flood({ ...call, connections: 64, seconds: 5 });
      const rate = Math.ceil((5 * borne['2xx']) / borne.duration);
      // The first flood fills buffers and heaps to what they need.
      await flood({ ...call, connections, seconds: 5, rate });
      const { result, halves } = await watched(pids, flood({ ...call, connections, seconds: 15, rate }));
      const statuses = Object.keys(result.statusCodeStats ?? {}).map(Number);
      // Each request has an answer, and that is one of three.
      expect([result.errors, result.timeouts]).toEqual([0, 0]);
      expect(statuses.filter((one) => ![status, 429, 503].includes(one))).toEqual([]);
      expect(statuses).toEqual(expect.arrayContaining([status, refusal]));
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
