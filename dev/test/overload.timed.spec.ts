import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually, Session } from '#libs/testing';
import { Crowd, type CrowdResult } from './faults/crowd.js';
import { Launch, temporaryDataDir } from './launcher.js';

const person = { email: 'buyer@example.com', password: 'a fine long password' };
const message = {
  fullName: 'Ada',
  emailAddress: 'ada@example.com',
  subject: 'Hello',
  message: 'Is anybody there?',
  messageStatus: 'UnRead',
};
/** As behind a proxy: each client has an address, and limits, of its own. */
const behindProxy = { TRUSTED_PROXIES: '127.0.0.0/8, ::1' };
/** So many that no address comes near its limit. */
const manyAddresses = Array.from({ length: 20_000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
/** The default of `LIMIT_FORMS`: calls of one client network in ten minutes. */
const formsLimit = 300;
const formsWindowMs = 600_000;

/**
 * Makes each message take 50 ms to store, so that the service's ten connections store at most 200 a second. The crowd could not send five
 * times what the service stores at full speed, because it runs on the same machine.
 */
async function slowDownMessages(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END';
    CREATE TRIGGER wait BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION wait()`);
  await client.end();
}

/**
 * For “Overload” in docs/testing.md. The crowd runs on the same machine, so it can only send five times the load if nothing else runs. Otherwise
 * its connections wait to be accepted, and the gateway cannot refuse their requests yet.
 */
describe('five times the load that the site can handle', () => {
  const dataDir = temporaryDataDir();
  let site: Launch;
  let visitor: Session;
  beforeAll(async () => {
    site = new Launch(dataDir.path, behindProxy);
    visitor = Session.visitor(await site.ready());
    await Session.register(site.stack.url, person);
    await slowDownMessages(site.stack.databases.messaging);
  }, 120_000);
  afterAll(async () => {
    await site.stop();
    dataDir.remove();
  });

  /** The resident memory of all these processes together, in MB (proc(5)). */
  function memory(pids: number[]): number {
    const resident = (pid: number) =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return pids.reduce((sum, pid) => sum + resident(pid), 0) / 1024;
  }

  const pidsOf = (...names: string[]) =>
    names.flatMap((name) => site.stack.services[name]!.map(({ pid }) => pid));

  /** The peak memory (MB) in the first and the second half of `work`, and a visitor's longest wait for the banner (ms). */
  async function measure(pids: number[], work: Promise<CrowdResult>) {
    const samples: number[] = [];
    const waits: number[] = [];
    let isOver = false;
    const done = work.finally(() => (isOver = true));
    while (!isOver) {
      samples.push(memory(pids));
      const began = performance.now();
      expect((await visitor.get('/banner')).status).toBe(200);
      waits.push(performance.now() - began);
      // More measurements would be a load of their own.
      await Promise.race([wait(100), done]);
    }
    const half = Math.ceil(samples.length / 2);
    const peaks = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))] as const;
    return { result: await done, peaks, longestWait: Math.max(...waits) };
  }

  function print(what: string, { result, peaks, longestWait }: Awaited<ReturnType<typeof measure>>): void {
    const answers = [...result.answers].map(([answer, count]) => `${answer}: ${count}`).join(', ');
    console.log(
      `${what}: ${Math.round(result.perSecond)} a second; ${answers}; median of those served ${Math.round(result.median)} ms; ` +
        `${Math.round(peaks[0])} and ${Math.round(peaks[1])} MB; the banner within ${Math.round(longestWait)} ms`,
    );
  }

  test.each([
    ['messages, which wait in a queue', '/add-message', message, 201, 64, 'messaging'],
    ['sign-ins, each of which keeps a core busy', '/auth/login', person, 200, 4, 'identity'],
  ] as const)(
    '%s: requests beyond the capacity are refused, memory does not grow, and everything recovers afterwards',
    async (name, path, body, status, clients, service) => {
      const crowd = new Crowd(site.stack.url, { path, body, addresses: manyAddresses });
      const pids = pidsOf('gateway', service);
      // Warm up: code is compiled and heaps grow.
      await crowd.closedLoop(clients, 5);
      const atCapacity = await measure(pids, crowd.closedLoop(clients, 15));
      print(`${name}, at capacity`, atCapacity);
      expect([...atCapacity.result.answers.keys()]).toEqual([status]);

      const flood = await measure(pids, crowd.openLoop(atCapacity.result.perSecond * 5, 20));
      print(`${name}, five times the capacity`, flood);
      const { answers, perSecond, withRetryAfter } = flood.result;
      expect(perSecond).toBeGreaterThan(atCapacity.result.perSecond * 4.9);
      expect([...answers.keys()].sort()).toEqual([status, 503]);
      expect(withRetryAfter).toBe(answers.get(503));
      // Waiting requests (at most a thousand) take memory, which does not grow over time.
      expect(Math.max(...flood.peaks)).toBeLessThan(Math.max(...atCapacity.peaks) * 1.5);
      expect(flood.peaks[1]).toBeLessThan(flood.peaks[0] * 1.2);

      const ended = performance.now();
      await eventually(
        async () => {
          for (let time = 0; time < 10; time++) expect((await visitor.post(path, body)).status).toBe(status);
        },
        { timeoutMs: 10_000 },
      );
      console.log(`${name}: served again after ${Math.round(performance.now() - ended)} ms`);
      expect(pidsOf('gateway', service)).toEqual(pids);
      crowd.close();
    },
    180_000,
  );

  test('one address that sends five times its limit is refused beyond the limit, and other clients are not', async () => {
    const oneAddress = new Crowd(site.stack.url, {
      path: '/add-message',
      body: message,
      addresses: ['10.2.0.1'],
    });
    const others = new Crowd(site.stack.url, {
      path: '/add-message',
      body: message,
      addresses: manyAddresses,
    });
    const pids = pidsOf('gateway', 'messaging');
    const seconds = 10;
    const startedAt = Date.now();
    const flood = measure(pids, oneAddress.openLoop((formsLimit * 5) / seconds, seconds));
    const othersResult = await others.openLoop(20, seconds);
    print('messages of one address', await flood);
    const { answers, withRetryAfter } = (await flood).result;
    expect([...answers.keys()].sort()).toEqual([201, 429]);
    const windowAt = (time: number) => Math.floor(time / formsWindowMs);
    const windows = windowAt(Date.now()) - windowAt(startedAt) + 1;
    expect(answers.get(201)).toBeGreaterThanOrEqual(formsLimit);
    expect(answers.get(201)).toBeLessThanOrEqual(windows * formsLimit);
    expect(withRetryAfter).toBe(answers.get(429));
    expect([...othersResult.answers.keys()]).toEqual([201]);
    oneAddress.close();
    others.close();
  });
});
