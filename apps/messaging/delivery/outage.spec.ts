import { expect, test } from '@jest/globals';
import { Outage } from './outage.js';

let now = 0;
const clock = { now: () => new Date(now) };
const newOutage = () => new Outage(clock, { firstRetryMs: 1_000, longestRetryMs: 60_000 });

// The tests pass to `recordFailure` and `end` the value that `failures` had when the attempt began.

test('mails that fail together are one failure, so the first pause is short', () => {
  const outage = newOutage();
  for (let mail = 0; mail < 4; mail += 1) outage.recordFailure(0);
  expect(outage.failures).toBe(1);
  expect(outage.pauseMs).toBeLessThanOrEqual(1_000);
  expect(outage.pauseMs).toBeGreaterThanOrEqual(500);
});

test('the pauses between attempts become longer, up to a minute, and end with the outage', () => {
  const outage = newOutage();
  const pauses = Array.from({ length: 8 }, () => {
    now += outage.pauseMs;
    expect(outage.pauseMs).toBe(0);
    outage.recordFailure(outage.failures);
    return outage.pauseMs;
  });
  for (const [attempt, pauseMs] of pauses.entries()) {
    const longest = Math.min(60_000, 1_000 * 2 ** attempt);
    expect(pauseMs).toBeLessThanOrEqual(longest);
    expect(pauseMs).toBeGreaterThanOrEqual(longest / 2);
  }
  outage.end(outage.failures);
  expect([outage.failures, outage.pauseMs]).toEqual([0, 0]);
});

test('an attempt that began during an outage and fails after its end is the first failure of a new outage', () => {
  const outage = newOutage();
  outage.recordFailure(0);
  outage.end(1);
  outage.recordFailure(1);
  expect(outage.failures).toBe(1);
});

test('an attempt that began before an outage and succeeds during it does not end it', () => {
  const outage = newOutage();
  outage.recordFailure(0);
  expect(outage.end(0)).toBe(false);
  expect(outage.failures).toBe(1);
  expect(outage.end(1)).toBe(true);
  expect(outage.failures).toBe(0);
});
