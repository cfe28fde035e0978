import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Session } from '#libs/testing';
import { memoryInUse } from './memory-in-use.mjs';
import { startSite, type SiteUnderTest } from './site.harness.js';

const orderCount = 120_000;
const bytesBetweenMeasurements = 4_000_000;

let site: SiteUnderTest;
let admin: Session;

beforeAll(async () => {
  site = await startSite();
  admin = await site.admin();
  const database = new pg.Client({ connectionString: site.databaseUrls.orders });
  await database.connect();
  await database.query(
    `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
       customer_country, package_name, package_price, price_cents, order_status, provider_state,
       payment_status, payment_state, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), now()::date, '=Person ' || n, n || '@example.com', repeat('Street ', 30),
       'Norway', 'Basic', '290.00', 29000, 'Pending', 'unpaid', 'UnPaid', 'unpaid', now(), now()
     FROM generate_series(1, $1::int) n`,
    [orderCount],
  );
  await database.end();
}, 180_000);
afterAll(() => site?.stop());

test('the export of 120,000 orders is complete, and is never held in memory as a whole', async () => {
  const before = await memoryInUse();
  const answer = await fetch(`${site.url}/orders/export`, {
    headers: { authorization: `Bearer ${admin.bearer}`, accept: 'text/csv' },
  });
  let nextMeasurement = bytesBetweenMeasurements;
  const seen = new Uint8Array(orderCount + 1);
  let bytes = 0;
  let peak = 0;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body!) {
    bytes += part.length;
    if (bytes >= nextMeasurement) {
      peak = Math.max(peak, await memoryInUse());
      nextMeasurement += bytesBetweenMeasurements;
    }
    const lines = (rest + decoder.decode(part, { stream: true })).split('\r\n');
    rest = lines.pop()!;
    for (const line of lines) {
      // The export puts an apostrophe before a name that begins with `=`, so that spreadsheets take it for text.
      const number = /"'=Person (\d+)"/.exec(line)?.[1];
      if (number) seen[Number(number)]! += 1;
    }
  }
  expect([seen.filter((count) => count === 1).length, rest]).toEqual([orderCount, '']);
  // The measured process contains the gateway, the services and this reader.
  expect(peak - before).toBeLessThan(bytes / 2);
  // With a small export, there would be too few measurements to find the peak.
  expect(bytes).toBeGreaterThan(40_000_000);
}, 180_000);
