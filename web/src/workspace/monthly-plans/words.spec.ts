import { expect, test } from '@jest/globals';
import type { PlanSubscription } from '#libs/contracts';
import { samplePlan } from './sample-plan.js';
import { priceDifference, whatHappensNext } from './words.js';

const noCharge = { nextChargeAt: null, nextChargeAmount: null };

test.each<[Partial<PlanSubscription>, string]>([
  [{}, 'Next charge $290.00 on Dec 22, 2026'],
  [{ nextChargeAmount: '990.00' }, 'Next charge $990.00 on Dec 22, 2026'],
  [noCharge, 'No charge is scheduled'],
  [{ state: 'pending' }, 'Waiting for PayPal to confirm the first payment'],
  [
    { state: 'past_due', graceEndsAt: '2027-01-01T12:00:00.000Z' },
    'Payment failed; work stops on Jan 1, 2027 unless the payment is made',
  ],
  [{ state: 'suspended' }, 'Work has stopped until the failed payment is made'],
  [{ state: 'paused' }, 'Nothing is charged until the plan is resumed'],
  [{ state: 'ending', endsOn: '2026-12-22T12:00:00.000Z' }, 'Ends on Dec 22, 2026'],
  [{ state: 'ended', endedAt: '2026-12-22T12:00:00.000Z' }, 'Ended on Dec 22, 2026'],
])('for the sample plan with %j, what comes next is ‘%s’', (overrides, sentence) => {
  expect(whatHappensNext(samplePlan(overrides))).toBe(sentence);
});

test.each([
  ['290.00', '990.00', '$700.00 more than now'],
  ['990.00', '289.90', '$700.10 less than now'],
  ['290.00', '290.0', 'the same as now'],
])('the difference from %s to %s is ‘%s’', (from, to, words) => {
  expect(priceDifference(from, to)).toBe(words);
});
