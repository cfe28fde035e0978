import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import pg from 'pg';
import { startStack } from '../dev/stack/start-stack.js';
import { median, quantile } from './measures.js';
import type { Row } from './row.js';

const connections = 32;
const secondsPerRound = 5;
const rounds = 3;
const seededOrders = 1_000_000;

interface Person {
  email: string;
  headers: Record<string, string>;
}

/**
 * Compares placing an order with a bare Fastify server that inserts one row into the same Postgres. Then measures lists and totals over a million
 * orders.
 */
export async function run(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-orders-'));
  const stack = await startStack({
    port: 0,
    dataDir,
    quiet: true,
    env: { LIMIT_ORDERS: '999999/1', LOG_LEVEL: 'warn' },
  });
  const database = new pg.Client({ connectionString: stack.databases.orders });
  try {
    await database.connect();
    const person = await register(stack.url);
    const admin = await signIn(stack.url, stack.admin);
    const rows = await measurePlacing(stack.url, stack.databases.orders, person);
    await seed(database);
    return [...rows, ...(await measureReading(stack.url, admin, person))];
  } finally {
    await database.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measurePlacing(url: string, databaseUrl: string, { email, headers }: Person): Promise<Row[]> {
  const body = JSON.stringify({
    packageName: 'Basic',
    packagePrice: '290.00',
    customerEmail: email,
    customerName: 'Ada Lovelace',
    customerAddress: '1 Analytical Way',
    customerCountry: 'United Kingdom',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
  });
  const plain = await startPlainInsert(databaseUrl);
  try {
    const ours: autocannon.Result[] = [];
    const theirs: autocannon.Result[] = [];
    // A warm-up, whose result is not used.
    await postRepeatedly(`${url}/new-order`, headers, body);
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await postRepeatedly(`${url}/new-order`, headers, body));
      theirs.push(await postRepeatedly(plain.url, headers, body));
    }
    const rate = (results: autocannon.Result[]) =>
      median(results.map((result) => result['2xx'] / result.duration));
    return [
      {
        name: 'POST /new-order: orders',
        value: rate(ours),
        unit: '/s',
        note: `Fastify + pg, one insert: ${Math.round(rate(theirs))}/s`,
      },
      { name: 'POST /new-order: ratio to Fastify + pg', value: rate(ours) / rate(theirs), unit: '' },
      { name: 'POST /new-order: p99', value: median(ours.map(({ latency }) => latency.p99)), unit: 'ms' },
    ];
  } finally {
    plain.process.kill();
  }
}

async function measureReading(url: string, admin: Person, person: Person): Promise<Row[]> {
  const deepCursor = await cursorAt(url, admin, 0.9);
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
  const reads: [string, string, Person][] = [
    ['first page', '/orders?limit=5', admin],
    ['page at a cursor after 900 000', `/orders?limit=5&cursor=${deepCursor}`, admin],
    ['first page of one status', '/orders?limit=5&paymentStatus=UnPaid', admin],
    ['sorted by name', '/orders?limit=5&sort=customerName', admin],
    ['search by e-mail address', '/orders?limit=5&search=p4242@example', admin],
    ['own orders', '/orders?limit=5', person],
    ['summary', '/orders/summary', admin],
    ['sales of a year by day', `/orders/sales?from=${yearAgo}&to=${today}&by=day`, admin],
    ['unpaid by age', '/orders/unpaid-ages', admin],
    ['unpaid and old', `/orders?limit=5&paymentStatus=UnPaid&sort=orderDate&to=${yearAgo}`, admin],
    ['own summary', '/orders/summary', person],
  ];
  const rows: Row[] = [];
  for (const [name, path, { headers }] of reads) {
    const [times, baseline] = await measureTimes([`${url}${path}`, `${url}/paypal-email`], headers, 300);
    const inWords = (taken: number[]) =>
      `median ${quantile(taken, 0.5).toFixed(1)} ms, p99 ${quantile(taken, 0.99).toFixed(1)} ms`;
    rows.push({
      name: `1 000 000 orders, ${name}: p99`,
      value: quantile(times!, 0.99),
      unit: 'ms',
      note: `${inWords(times!)}; for comparison, a list of one record: ${inWords(baseline!)}`,
    });
  }
  return rows;
}

/**
 * Inserts a million orders of 20 000 customers over nineteen months. The search index is created afterwards, because updating it row by row would
 * take minutes.
 */
async function seed(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE indexname = 'orders_search'`,
  );
  await database.query('DROP INDEX IF EXISTS orders_search');
  await database.query(
    `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address, customer_country,
       package_name, package_price, price_cents, order_status, provider_state, payment_status, payment_state,
       created_at, updated_at)
     SELECT uuidv7(made - now()), ('00000000-0000-4000-8000-' || lpad((n % 20000)::text, 12, '0'))::uuid, made::date,
       'Person ' || md5(n::text), 'p' || n % 20000 || '@example.com', n || ' Main Street', 'Country ' || n % 90,
       (ARRAY['Basic', 'Standard', 'Premium'])[1 + n % 3], (ARRAY['290.00', '590.00', '990.00'])[1 + n % 3],
       (ARRAY[29000, 59000, 99000])[1 + n % 3], CASE WHEN n % 4 = 0 THEN 'Pending' ELSE 'Delivered' END,
       CASE WHEN n % 10 < 7 THEN 'paid' ELSE 'unpaid' END, CASE WHEN n % 10 < 7 THEN 'Paid' ELSE 'UnPaid' END,
       CASE WHEN n % 10 < 7 THEN 'paid' ELSE 'unpaid' END, made, made
     FROM (SELECT n, now() - n * interval '50 seconds' AS made FROM generate_series(1, $1::int) n) AS numbered`,
    [seededOrders],
  );
  for (const { indexdef } of rows) await database.query(indexdef);
  // Waits until the orders service has added the recorded changes to the totals. A real site is never a million changes behind.
  for (let remaining = 1; remaining > 0;) {
    await wait(200);
    const { rows: counted } = await database.query<{ changes: number }>(
      'SELECT count(*)::int AS changes FROM order_total_changes',
    );
    remaining = counted[0]!.changes;
  }
  await database.query('VACUUM (ANALYZE) orders, order_total_changes, order_day_totals');
}

/** The cursor after this share of all orders. It comes from a page requested by number, because reaching it by cursors would take minutes. */
async function cursorAt(url: string, { headers }: Person, share: number): Promise<string> {
  const limit = 1000;
  const page = Math.round((seededOrders * share) / limit);
  const answer = await fetch(`${url}/orders?limit=${limit}&page=${page}`, { headers });
  const next = /cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1];
  if (!answer.ok || next === undefined) throw new Error(`Page ${page} of the orders: ${answer.status}`);
  return next;
}

/** Returns the sorted times (ms) of each address. Calls alternate, so that load on the machine affects all addresses equally. */
async function measureTimes(
  urls: string[],
  headers: Record<string, string>,
  callsEach: number,
): Promise<number[][]> {
  const taken = urls.map((): number[] => []);
  for (let i = 0; i < callsEach * urls.length; i += 1) {
    const url = urls[i % urls.length]!;
    const start = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
    taken[i % urls.length]!.push(performance.now() - start);
  }
  return taken.map((one) => one.sort((a, b) => a - b));
}

async function postRepeatedly(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    connections,
    duration: secondsPerRound,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed.`);
  }
  return result;
}

async function register(url: string): Promise<Person> {
  return authenticate(url, '/auth/register', {
    email: 'bench@example.com',
    password: 'correct horse battery',
  });
}

async function signIn(
  url: string,
  { email, password = '' }: { email: string; password?: string },
): Promise<Person> {
  return authenticate(url, '/auth/login', { email, password });
}

async function authenticate(
  url: string,
  path: string,
  credentials: { email: string; password: string },
): Promise<Person> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return {
    email: credentials.email,
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  };
}

/** What placing an order is compared with. */
async function startPlainInsert(databaseUrl: string): Promise<{ url: string; process: ChildProcess }> {
  const server = fork(fileURLToPath(new URL('./plain-insert.js', import.meta.url)));
  server.send({ databaseUrl });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  return { url, process: server };
}
