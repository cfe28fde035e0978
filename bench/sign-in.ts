import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startStack } from '../dev/stack/start-stack.js';
import { quantile } from './measures.js';
import type { Row } from './row.js';

const clients = 8;
const seconds = 10;
/** Between two requests whose latency is measured. */
const pauseMs = 10;
const person = { email: 'bench@example.com', password: 'a password for the benchmark' };

interface Latency {
  p50: number;
  p99: number;
}

/** How many people can sign in per second, and how long other requests take then: password hashes are slow on purpose, and each occupies a core. */
export async function run(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-sign-in-'));
  // All requests come from one address, so the limits are raised.
  const env = { LIMIT_SIGN_IN: '999999/600', LIMIT_SIGN_UP: '999999/600' };
  const stack = await startStack({ port: 0, dataDir, env, quiet: true });
  try {
    const registered = await post(`${stack.url}/auth/register`, person);
    const { accessToken } = (await registered.json()) as { accessToken: string };
    const measureReads = () =>
      Promise.all([
        measureLatency(`${stack.url}/banner`, {}),
        measureLatency(`${stack.url}/auth/me`, { authorization: `Bearer ${accessToken}` }),
      ]);
    // A warm-up, whose result is not used.
    await measureReads();
    const [bannerBefore, meBefore] = await measureReads();
    const [[bannerDuring, meDuring], { done, refused }] = await Promise.all([
      measureReads(),
      signInRepeatedly(stack.url),
    ]);
    return [
      {
        name: `sign-ins, ${clients} clients`,
        value: done / seconds,
        unit: '/s',
        note: `${refused} refused`,
      },
      ...latencyRows('GET /banner', bannerBefore, bannerDuring),
      ...latencyRows('GET /auth/me', meBefore, meDuring),
    ];
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function latencyRows(name: string, before: Latency, during: Latency): Row[] {
  return (['p50', 'p99'] as const).map((rank) => ({
    name: `${name} during sign-ins: ${rank}`,
    value: during[rank],
    unit: 'ms',
    note: `${before[rank].toFixed(2)} ms before`,
  }));
}

/** Each client always has one sign-in in progress. */
async function signInRepeatedly(url: string): Promise<{ done: number; refused: number }> {
  const counted = { done: 0, refused: 0 };
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const { ok } = await post(`${url}/auth/login`, person);
      counted[ok ? 'done' : 'refused'] += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return counted;
}

async function measureLatency(url: string, headers: Record<string, string>): Promise<Latency> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    const answer = await fetch(url, { headers: { accept: 'application/json', ...headers } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
    taken.push(performance.now() - started);
    await wait(pauseMs);
  }
  taken.sort((a, b) => a - b);
  return { p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}

async function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
}
