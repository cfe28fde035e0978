import { describe, expect, test } from '@jest/globals';
import { QueueLimit } from './queue-limit.js';

describe('the queue limit', () => {
  /** `waits` are in milliseconds. The tests' longest allowed wait is 2000 ms. */
  const limitAfter = (limit: QueueLimit, ...waits: number[]) => {
    for (const ms of waits) limit.recordWait(ms);
    return limit.recalculate();
  };

  test('is the maximum as long as waits are short', () => {
    const limit = new QueueLimit(1000, 2000);
    expect(limitAfter(limit)).toBe(1000);
    expect(limitAfter(limit, 5, 1999, 2000)).toBe(1000);
  });

  test('shrinks when a wait is too long, and grows again afterwards', () => {
    const limit = new QueueLimit(1000, 2000);
    expect(limitAfter(limit, 10, 4000, 20)).toBe(500);
    expect(limitAfter(limit, 4000)).toBe(250);
    expect(limitAfter(limit, 100)).toBe(300);
    for (let call = 0; call < 10; call++) limitAfter(limit);
    expect(limitAfter(limit)).toBe(1000);
  });

  test('never falls below 100, unless the maximum is lower, and never exceeds the maximum', () => {
    expect(limitAfter(new QueueLimit(1000, 2000), 1e9)).toBe(100);
    expect(limitAfter(new QueueLimit(20, 2000), 1e9)).toBe(20);
    expect(limitAfter(new QueueLimit(20, 2000))).toBe(20);
  });
});
