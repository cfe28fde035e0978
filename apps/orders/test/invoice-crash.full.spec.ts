import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CrashingReplicas } from './invoice-crash.harness.js';
import { expectGapless } from './invoices.harness.js';

// `invoice-numbers.full.spec.ts` is a longer form of this test.

let replicas: CrashingReplicas;
beforeAll(async () => {
  replicas = await CrashingReplicas.start(2);
});
afterAll(() => replicas?.stop());

test('two replicas that are killed while they issue 300 documents leave no gap and no duplicate', async () => {
  await replicas.insertOrdersWithTwoTasks(150);
  for (const [kill, documents] of [20, 90, 160].entries()) {
    expect(await replicas.waitForDocuments(documents)).toBeLessThan(300);
    await replicas.killAndRestart(kill % 2);
  }
  await replicas.waitForDocuments(300);
  await replicas.expectOneDocumentPerTask();
  await expectGapless(replicas.sql);
});
