import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { RedisClock } from './redis-clock.js';

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

/** A Redis whose clock is `aheadMs` ahead of this machine's. A message takes `delayMs` in each direction. */
function redisAheadBy(aheadMs: number, delayMs = 0) {
  return {
    sendCommand: async () => {
      await jest.advanceTimersByTimeAsync(delayMs);
      const micros = (Date.now() + aheadMs) * 1000;
      await jest.advanceTimersByTimeAsync(delayMs);
      return [String(Math.floor(micros / 1e6)), String(micros % 1e6)];
    },
  } as unknown as Parameters<RedisClock['takeSample']>[0];
}

const hour = 3_600_000;

describe('RedisClock', () => {
  test('returns Redis’s time, not this machine’s, and allows for the time that the answer takes', async () => {
    const clock = new RedisClock();
    await clock.takeSample(redisAheadBy(hour, 20));
    expect(clock.now()).toBeCloseTo(Date.now() + hour);
  });

  test('uses the fastest of its samples', async () => {
    const clock = new RedisClock();
    await clock.takeSample(redisAheadBy(hour));
    await clock.takeSample(redisAheadBy(-hour, 50));
    expect(clock.now()).toBeCloseTo(Date.now() + hour);
  });

  test('after `forget`, earlier samples do not count', async () => {
    const clock = new RedisClock();
    await clock.takeSample(redisAheadBy(hour));
    clock.forget();
    await clock.takeSample(redisAheadBy(-hour, 50));
    expect(clock.now()).toBeCloseTo(Date.now() - hour);
  });
});
