import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import type { SubscriberImport } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { csvLine } from '../csv/csv-text.js';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
let database: pg.Client;

beforeAll(async () => {
  site = await startSite({ processes: ['messaging'] });
  admin = await site.admin();
  database = new pg.Client({ connectionString: site.databaseUrls.messaging });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.stop();
});

const startImport = (file: string) =>
  admin.send<SubscriberImport>('POST', '/subscribers/import?consent=Moved+from+another+provider', {
    body: file,
    headers: { 'Content-Type': 'text/csv' },
  });
const readImport = async (id: string) =>
  (await admin.get<SubscriberImport>(`/subscriber-imports/${id}`)).json;
const finishedImport = (id: string) =>
  eventually(
    async () => {
      const report = await readImport(id);
      expect(report.state).toBe('finished');
      return report;
    },
    { timeoutMs: 120_000 },
  );

test('20,000 subscribers are imported with visible progress, and 20,000 others although the messaging process is killed meanwhile', async () => {
  const file = ['email', ...Array.from({ length: 20_000 }, (_, n) => `reader-${n}@example.com`)].join('\n');
  const begun = await startImport(file);
  expect(begun.status).toBe(202);
  const { _id: id } = begun.json;
  const progressSeen = new Set<number>();
  await eventually(
    async () => {
      const { done, state } = await readImport(id);
      progressSeen.add(done);
      expect(state).toBe('finished');
    },
    { timeoutMs: 120_000 },
  );
  expect(progressSeen.size).toBeGreaterThan(1);
  expect(await finishedImport(id)).toMatchObject({ rows: 20_000, done: 20_000, added: 20_000, refused: 0 });
  const { headers } = await admin.get('/subscribers?status=subscribed&limit=1');
  expect(headers.get('x-total-count')).toBe('20000');

  const secondFile = ['email', ...Array.from({ length: 20_000 }, (_, n) => `second-${n}@example.com`)].join(
    '\n',
  );
  const second = await startImport(secondFile);
  await eventually(async () => expect((await readImport(second.json._id)).done).toBeGreaterThan(0));
  await site.messaging[0]!.kill();
  const { rows } = await database.query<{ left: number }>(
    'SELECT rows_total - rows_done AS left FROM subscriber_imports WHERE id = $1',
    [second.json._id],
  );
  expect(rows[0]!.left).toBeGreaterThan(0);
  await site.startMessaging();
  expect(await finishedImport(second.json._id)).toMatchObject({ done: 20_000, added: 20_000, refused: 0 });
}, 300_000);

test('whatever a file contains, only addresses are imported, and every other row is counted as refused', async () => {
  const row = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 320 }),
    fc.emailAddress(),
    fc.constantFrom(
      'a@b',
      'ada@example.com\r\nBcc: eve@example.com',
      '<script>@example.com',
      "' OR 1=1 --@x.org",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 200 }), async (values) => {
      const given = values.map((value) => value.toWellFormed()).filter((value) => value.trim() !== '');
      if (given.length === 0) return;
      const file = csvLine(['email']) + given.map((value) => csvLine([value])).join('');
      const begun = await startImport(file);
      expect(begun.status).toBe(202);
      const { added, refused, rows } = await finishedImport(begun.json._id);
      expect([rows, added + refused]).toEqual([given.length, given.length]);
    }),
    { numRuns: 20 },
  );
  const { rows } = await database.query<{ email: string }>(
    String.raw`SELECT email FROM subscribers WHERE email !~ '^[^\s<>@,;]+@[a-zA-Z0-9.-]+$'`,
  );
  expect(rows).toEqual([]);
}, 300_000);
