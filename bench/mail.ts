import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startStack } from '../dev/stack/start-stack.js';
import type { Row } from './row.js';

const subscribers = 20_000;
const pollIntervalMs = 250;
const campaign = {
  subject: 'November',
  preheader: 'What is new',
  body: `# News\n\n${'Rankings **moved** this month, and [here](https://example.com/) is why.\n\n'.repeat(20)}`,
};

/** Sends a campaign to 20 000 subscribers, through a local mail server that accepts everything. */
export async function run(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-mail-'));
  const env = { MAIL_CAMPAIGN_PER_MINUTE: '60000', LOG_LEVEL: 'warn' };
  const stack = await startStack({ port: 0, dataDir, env, quiet: true });
  const database = new pg.Client({ connectionString: stack.databases.messaging });
  try {
    await database.connect();
    await database.query(
      `INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at, status)
       SELECT uuidv7(), address, address, 1, now(), now(), 'subscribed'
       FROM (SELECT 'reader-' || n || '@example.com' AS address FROM generate_series(1, $1::int) n) AS them`,
      [subscribers],
    );
    const messaging = stack.services['messaging']?.[0];
    if (!messaging) throw new Error('The stack started without messaging.');
    const post = await signIn(stack.url, stack.admin);
    const { _id: id } = await post('/campaigns', campaign);
    const megabytesBefore = residentMegabytes(messaging.pid);
    await post(`/campaign/${id}/send`, {});
    const { mails, seconds, peakMegabytes } = await waitUntilSent(database, id, messaging.pid);
    return [
      { name: `a campaign to ${subscribers} people: mails`, value: mails / seconds, unit: '/s' },
      {
        name: 'messaging while it sends: peak memory',
        value: peakMegabytes,
        unit: 'MB',
        note: `${Math.round(megabytesBefore)} MB before`,
      },
    ];
  } finally {
    await database.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Post = (path: string, body: object) => Promise<{ _id: string }>;

async function signIn(url: string, { email, password }: { email: string; password?: string }): Promise<Post> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { _id: string; accessToken: string };
  };
  const { accessToken } = await post('/auth/login', { email, password });
  headers['authorization'] = `Bearer ${accessToken}`;
  return post;
}

/**
 * Waits until the campaign is sent; rejects if it is paused or cancelled. `seconds` is how long sending took, and `peakMegabytes` the highest memory
 * use of the process.
 */
async function waitUntilSent(database: pg.Client, id: string, pid: number) {
  let peakMegabytes = 0;
  for (;;) {
    const { rows } = await database.query<{ state: string; sent: number; seconds: number }>(
      `SELECT state, sent, extract(epoch FROM finished_at - started_at)::float AS seconds FROM campaigns WHERE id = $1`,
      [id],
    );
    const { state, sent: mails, seconds } = rows[0]!;
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(pid));
    if (state === 'sent') return { mails, seconds, peakMegabytes };
    if (state !== 'scheduled' && state !== 'sending') throw new Error(`The campaign is ${state}`);
    await wait(pollIntervalMs);
  }
}

function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
