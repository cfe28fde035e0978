import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually, type Session } from '#libs/testing';
import { EventReader } from './event-reader.js';
import { insertProject } from './project-uploads.js';
import { accountIdOf, type GatewayProcess, type SiteUnderTest, startSite } from './site.harness.js';

let site: SiteUnderTest;
let sql: pg.Client;
/** A process of its own, whose memory can be read. */
let gateway: GatewayProcess;
beforeAll(async () => {
  site = await startSite({
    without: ['content', 'orders', 'messaging'],
    settings: { LIMIT_SIGN_UP: '10000/600' },
  });
  sql = new pg.Client({ connectionString: site.databaseUrls.projects });
  await sql.connect();
  gateway = await site.startGatewayProcess();
});
afterAll(async () => {
  await sql?.end();
  await site?.stop();
});

async function metric(name: string): Promise<number> {
  const text = await (await gateway.health('/metrics')).text();
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.split(' ').at(-1) ?? 0);
}
const openStreams = () => metric('http_event_streams{');
const memory = () => metric('process_resident_memory_bytes');

/** The limits of `ThreadStreams`. */
const perAccount = 6;
const limit = 2_000;

/** Each message has 20,000 characters. */
async function insertMessages(projectId: string, count: number): Promise<void> {
  await sql.query(
    `INSERT INTO thread_entries (project_id, seq, change, kind, message_id, side, name, at, text, entries_for_customer, entries_for_staff)
     SELECT $1, n, n, 'message', gen_random_uuid(), 'staff', 'Eve', now(), repeat('All work. ', 2000), n, 0
     FROM generate_series(1, $2) AS n`,
    [projectId, count],
  );
  await sql.query('UPDATE projects SET seq = $2 WHERE id = $1', [projectId, count]);
}

/** Nothing of the stream is read until `answer.resume()` is called. */
async function openStream(
  person: Session,
  path: string,
): Promise<{ sent: ClientRequest; answer: IncomingMessage }> {
  const sent = request(`${person.url}${path}`, {
    headers: { authorization: `Bearer ${person.bearer}` },
    agent: false,
  });
  sent.on('error', () => undefined);
  const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  answer.pause();
  return { sent, answer };
}

test('clients that do not read their streams take little memory, and are disconnected, so that new streams can take their places', async () => {
  const customer = (await site.customer()).at(gateway.url);
  const projectId = await insertProject(sql, accountIdOf(customer));
  // Far more than the buffers of a connection hold.
  await insertMessages(projectId, 1_500);
  const path = `/project/${projectId}/updates?after=0`;
  const before = await memory();
  const silent = [];
  for (let n = 0; n < perAccount; n += 1) silent.push(await openStream(customer, path));
  expect(silent.map(({ answer }) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await customer.get(path)).status).toBe(503);
  // Somebody else is not affected.
  const otherCustomer = (await site.customer()).at(gateway.url);
  const otherReader = await EventReader.open(
    otherCustomer,
    `/project/${await insertProject(sql, accountIdOf(otherCustomer))}/updates`,
  );
  expect(otherReader.status).toBe(200);
  let peak = 0;
  await eventually(
    async () => {
      peak = Math.max(peak, await memory());
      // Only the stream of `otherReader` is left.
      expect(await openStreams()).toBe(1);
    },
    { timeoutMs: 60_000, intervalMs: 250 },
  );
  // The messages of all six streams are 180 MB together.
  expect(peak - before).toBeLessThan(80_000_000);
  const reader = await EventReader.open(customer, path);
  expect(reader.status).toBe(200);
  await eventually(() => expect(reader.entries).toHaveLength(1_500), { timeoutMs: 60_000 });
  expect(otherReader.isEnded).toBe(false);
  for (const one of [reader, otherReader]) one.stop();
  for (const { sent } of silent) sent.destroy();
  await eventually(async () => expect(await openStreams()).toBe(0));
}, 180_000);

test('a gateway serves at most 2,000 streams; another gateway serves more, and each stream that ends makes room', async () => {
  const people: Session[] = [];
  const paths: string[] = [];
  const enough = Math.ceil((limit + 1) / perAccount);
  while (people.length < enough) {
    const some = await Promise.all(Array.from({ length: 8 }, () => site.customer()));
    for (const person of some) {
      people.push(person.at(gateway.url));
      paths.push(`/project/${await insertProject(sql, accountIdOf(person))}/updates`);
    }
  }
  const opened: ClientRequest[] = [];
  for (let n = 0; n < limit; n += 20) {
    const personIndexes = Array.from({ length: 20 }, (_, index) => Math.floor((n + index) / perAccount));
    const some = await Promise.all(personIndexes.map((i) => openStream(people[i]!, paths[i]!)));
    expect(some.map(({ answer }) => answer.statusCode)).toEqual(some.map(() => 200));
    for (const { sent, answer } of some) {
      answer.resume();
      opened.push(sent);
    }
  }
  expect(await openStreams()).toBe(limit);
  const last = people.at(-1)!;
  const refused = await last.get(paths.at(-1)!);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  // Other calls are still served.
  expect((await last.get(paths.at(-1)!.replace('/updates', ''))).status).toBe(200);
  const elsewhere = await EventReader.open(last.at(site.url), paths.at(-1)!);
  expect(elsewhere.status).toBe(200);
  elsewhere.stop();
  opened.pop()!.destroy();
  const late = await eventually(async () => {
    const reader = await EventReader.open(last, paths.at(-1)!);
    expect(reader.status).toBe(200);
    return reader;
  });
  late.stop();
  for (const sent of opened) sent.destroy();
  await eventually(async () => expect(await openStreams()).toBe(0), { timeoutMs: 60_000 });
}, 300_000);
