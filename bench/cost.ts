import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startStack } from '../dev/stack/start-stack.js';
import { readProcess, type RunningProcess } from './measures.js';
import type { Row } from './row.js';

const connections = 16;
const seconds = 5;
const person = { email: 'bench@example.com', password: 'correct horse battery' };
/** A process that spends less than this per request does only background work, and is left out. */
const shownFromMicroseconds = 2;

interface Call {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/**
 * CPU time of each kind of request, by process. Includes Redis, Postgres, and the work that follows, such as mails. docs/operations/scaling.md uses
 * these figures.
 */
export async function run(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-cost-'));
  // All requests come from one address, so the limits are raised.
  const limits = ['FORMS', 'ORDERS', 'SIGN_IN', 'SIGN_UP'].map((name) => [`LIMIT_${name}`, '999999/1']);
  const env = { ...Object.fromEntries(limits), LOG_LEVEL: 'warn' } as Record<string, string>;
  const stack = await startStack({ port: 0, dataDir, quiet: true, env });
  try {
    const rows: Row[] = [];
    for (const call of await prepareCalls(stack.url)) {
      const readCpu = () => cpuByProcess(stack.services);
      await sendRepeatedly(stack.url, call, 1);
      await waitUntilIdle(readCpu);
      const before = readCpu();
      const answered = await sendRepeatedly(stack.url, call, seconds);
      await waitUntilIdle(readCpu);
      for (const [name, spent] of readCpu()) {
        const perRequest = (spent - (before.get(name) ?? 0)) / answered;
        if (perRequest < shownFromMicroseconds) continue;
        rows.push({ name: `${call.name}: CPU of ${name}`, value: perRequest, unit: 'µs/request' });
      }
    }
    return rows;
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Registers `person`, with whose account some of the calls are made. */
async function prepareCalls(url: string): Promise<Call[]> {
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = await fetch(`${url}/auth/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(person),
  });
  const { accessToken } = (await answer.json()) as { accessToken: string };
  const signedIn = { ...json, authorization: `Bearer ${accessToken}` };
  const message = {
    fullName: 'Ada Lovelace',
    emailAddress: 'ada@example.com',
    subject: 'An engine',
    message: 'How much?',
    messageStatus: 'UnRead',
  };
  const order = {
    packageName: 'Basic',
    packagePrice: '290.00',
    customerEmail: person.email,
    customerName: 'Ada Lovelace',
    customerAddress: '1 Analytical Way',
    customerCountry: 'United Kingdom',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
  };
  return [
    { name: 'GET /', method: 'GET', path: '/', headers: { accept: 'text/html' } },
    { name: 'GET /banner', method: 'GET', path: '/banner', headers: json },
    { name: 'GET /auth/me', method: 'GET', path: '/auth/me', headers: signedIn },
    { name: 'GET /orders?limit=5', method: 'GET', path: '/orders?limit=5', headers: signedIn },
    { name: 'POST /add-message', method: 'POST', path: '/add-message', headers: json, body: message },
    { name: 'POST /new-order', method: 'POST', path: '/new-order', headers: signedIn, body: order },
    { name: 'POST /auth/login', method: 'POST', path: '/auth/login', headers: json, body: person },
  ];
}

/** `duration` is in seconds. Returns how many requests were answered. */
async function sendRepeatedly(
  url: string,
  { method, path, headers, body }: Call,
  duration: number,
): Promise<number> {
  const result = await autocannon({
    url: url + path,
    method,
    headers,
    connections,
    duration,
    ...(body && { body: JSON.stringify(body) }),
  });
  // `errors` are requests without an answer.
  if (result['2xx'] === 0 || result.non2xx > 0 || result.errors > 0) {
    const counts = `${result['2xx']} answers were 2xx, ${result.non2xx} were not, ${result.errors} requests failed`;
    throw new Error(`${method} ${path}: ${counts}`);
  }
  return result['2xx'];
}

/** Resolves when all processes together use less than 100 ms of CPU time in a second, or after two minutes. */
async function waitUntilIdle(readCpu: () => Map<string, number>): Promise<void> {
  const total = () => [...readCpu().values()].reduce((sum, spent) => sum + spent, 0);
  let before = total();
  for (let second = 0; second < 120; second += 1) {
    await wait(1_000);
    const now = total();
    if (now - before < 100_000) return;
    before = now;
  }
}

/** CPU time (user and system) in microseconds, by name of the process; replicas are summed. */
function cpuByProcess(services: Record<string, { pid: number }[]>): Map<string, number> {
  const names = new Map(
    Object.entries(services).flatMap(([name, replicas]) => replicas.map(({ pid }) => [pid, name] as const)),
  );
  const spent = new Map<string, number>();
  for (const { pid, program, cpuMicroseconds } of descendants(process.pid)) {
    const name =
      names.get(pid) ??
      (program === 'postgres' ? 'postgres' : /redis|valkey/.test(program) ? 'redis' : undefined);
    if (name !== undefined) spent.set(name, (spent.get(name) ?? 0) + cpuMicroseconds);
  }
  return spent;
}

function descendants(root: number): RunningProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readProcess(Number(pid));
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
  const below = new Set([root]);
  // A child may have a lower process id than its parent.
  for (let known = 0; known < below.size;) {
    known = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => pid !== root && below.has(pid));
}
