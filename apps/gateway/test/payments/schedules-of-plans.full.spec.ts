import { test } from '@jest/globals';
import { PlanSchedule } from './plan-schedules.harness.js';

const beginnings = [
  ...['2028-01-28T00:20:00Z', '2028-01-29T23:40:00Z', '2028-01-30T09:59:00Z', '2028-01-31T10:01:00Z'],
  '2028-02-29T23:50:00Z',
];

/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));

test.each(['Pacific/Pago_Pago', 'UTC', 'Pacific/Kiritimati'])(
  `24 months of plans that begin on the 28th, 29th, 30th and 31st and on 29 February agree with PayPal’s books, in %s (seed ${seed})`,
  async (zone) => PlanSchedule.play({ zone, beginnings, charges: 24, kills: 12, seed }),
  60 * 60_000,
);
