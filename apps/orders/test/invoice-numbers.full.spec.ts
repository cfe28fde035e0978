import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CrashingReplicas } from './invoice-crash.harness.js';
import { expectGapless } from './invoices.harness.js';

const documentCount = 2_000;

let replicas: CrashingReplicas;
beforeAll(async () => {
  replicas = await CrashingReplicas.start(2);
});
afterAll(() => replicas?.stop());

test(`${documentCount} documents of two series, issued by two replicas that are killed again and again, have no gap and no duplicate`, async () => {
  await replicas.insertOrdersWithTwoTasks(documentCount / 2);
  let kills = 0;
  // The kills stop before the end: once all documents are issued, a kill interrupts nothing.
  for (let issued = 0; issued < documentCount - 200; kills += 1) {
    issued = await replicas.waitForDocuments(issued + 80);
    await replicas.killAndRestart(kills % 2);
  }
  expect(kills).toBeGreaterThan(5);
  await replicas.waitForDocuments(documentCount);
  await replicas.expectOneDocumentPerTask();
  await expectGapless(replicas.sql);
  const { rows } = await replicas.sql.query(
    'SELECT series, count(*)::int AS count, max(sequence) AS last FROM invoices GROUP BY series ORDER BY series',
  );
  expect(rows).toEqual([
    { series: 'credit_note', count: documentCount / 2, last: documentCount / 2 },
    { series: 'invoice', count: documentCount / 2, last: documentCount / 2 },
  ]);
  console.log(`${documentCount} documents, ${kills} kills`);
}, 600_000);
