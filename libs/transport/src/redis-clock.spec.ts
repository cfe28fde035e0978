import { describe, expect, test } from '@jest/globals';
import { RedisClock } from './redis-clock.js';

/** Stands in for a connection whose Redis is `ahead` milliseconds ahead of this machine. */
function redisThatIs(ahead: number, delayMs = 0) {
  return {
    sendCommand: async () => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const micros = Math.round((Date.now() + ahead) * 1000);
      return [String(Math.floor(micros / 1e6)), String(micros % 1e6)];
    },
  } as unknown as Parameters<RedisClock['sample']>[0];
}

const hour = 3_600_000;
const close = (value: number, expected: number) => Math.abs(value - expected) < 1000;

describe('RedisClock', () => {
  test('returns Redis’s time, not this machine’s', async () => {
    const clock = new RedisClock();
    await clock.sample(redisThatIs(hour));
    expect(close(clock.now(), Date.now() + hour)).toBe(true);
  });

  test('uses the fastest of its readings', async () => {
    const clock = new RedisClock();
    await clock.sample(redisThatIs(hour));
    await clock.sample(redisThatIs(-hour, 50));
    expect(close(clock.now(), Date.now() + hour)).toBe(true);
  });

  test('forgets readings of another Redis', async () => {
    const clock = new RedisClock();
    await clock.sample(redisThatIs(hour));
    clock.forget();
    await clock.sample(redisThatIs(-hour, 50));
    expect(close(clock.now(), Date.now() - hour)).toBe(true);
  });
});
