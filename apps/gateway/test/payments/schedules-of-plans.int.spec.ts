import { test } from '@jest/globals';
import { PlanSchedule } from './plan-schedules.harness.js';

// The short version of schedules-of-plans.full.spec.ts.

/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));

test(`three months of plans that begin on the 30th and 31st agree with PayPal’s books although a process is killed (seed ${seed})`, async () => {
  const beginnings = ['2027-01-30T23:40:00Z', '2027-01-31T00:20:00Z'];
  await PlanSchedule.play({ zone: 'Pacific/Kiritimati', beginnings, charges: 3, kills: 1, seed });
});
