import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CrashingReplicas } from './invoice-crash.harness.js';
import { expectGapless } from './invoices.harness.js';

// The long form is `invoice-numbers.full.spec.ts`.

let replicas: CrashingReplicas;
beforeAll(async () => {
  replicas = await CrashingReplicas.start(2);
});
afterAll(() => replicas?.stop());

test('two replicas that are killed while they issue 300 documents leave no gap and no duplicate', async () => {
  await replicas.enqueue(150);
  for (const [kill, part] of [20, 90, 160].entries()) {
    expect(await replicas.reached(part)).toBeLessThan(300);
    await replicas.replace(kill % 2);
  }
  await replicas.reached(300);
  await replicas.expectOneEach();
  await expectGapless(replicas.sql);
});
