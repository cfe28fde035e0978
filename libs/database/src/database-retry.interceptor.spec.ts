import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { defer, firstValueFrom } from 'rxjs';
import { system } from '#libs/contracts';
import { RequestContext } from '#libs/transport';
import { DatabaseRetryInterceptor } from './database-retry.interceptor.js';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('a handler whose Postgres is gone', () => {
  let interceptor: DatabaseRetryInterceptor;
  let up: boolean;
  let tries: number;

  beforeEach(() => {
    jest.useFakeTimers();
    interceptor = new DatabaseRetryInterceptor();
    [up, tries] = [false, 0];
  });
  afterEach(() => void jest.useRealTimers());

  /** The rows, or the error's code. */
  function ask(ttlMs = 10_000): Promise<string> {
    const facts = { requestId: 'r', actor: system, deadline: performance.now() + ttlMs, deliveries: 1 };
    const request = new RequestContext(facts, { pattern: 'orders.read', secret: [] }, {});
    const context = { switchToRpc: () => ({ getContext: () => request }) } as ExecutionContext;
    const query = () => {
      tries += 1;
      return up ? Promise.resolve('rows') : Promise.reject(refused());
    };
    return firstValueFrom(interceptor.intercept(context, { handle: () => defer(query) })).catch(
      (error: { code: string }) => error.code,
    ) as Promise<string>;
  }

  /** Makes a call, and resolves to what its caller has got after this time: `waits` if nothing yet. */
  async function outcomeAfter(ms: number, ttlMs?: number): Promise<string> {
    let answer = 'waits';
    void ask(ttlMs).then((text) => (answer = text));
    await jest.advanceTimersByTimeAsync(ms);
    return answer;
  }

  test('waits until Postgres is back', async () => {
    const answer = ask();
    await jest.advanceTimersByTimeAsync(2_000);
    up = true;
    await jest.advanceTimersByTimeAsync(500);
    expect(await answer).toBe('rows');
  });

  test('after a call has waited in vain, further calls fail immediately', async () => {
    expect(await outcomeAfter(3_000)).toBe('waits');
    await jest.advanceTimersByTimeAsync(2_000);
    tries = 0;
    expect(await outcomeAfter(0)).toBe('UNAVAILABLE');
    expect(tries).toBe(1);
  });

  test.each([
    ['of a call whose earlier attempts failed', () => jest.advanceTimersByTimeAsync(500)],
    ['of a call that began later', async () => expect(await outcomeAfter(0)).toBe('rows')],
  ])('the outage ends with the success %s', async (_case, succeed) => {
    void ask();
    await jest.advanceTimersByTimeAsync(3_000);
    up = true;
    await succeed();
    up = false;
    // The first failure was more than 4 s ago: without the success in between, nothing would be retried.
    await jest.advanceTimersByTimeAsync(1_200);
    expect(await outcomeAfter(100)).toBe('waits');
  });

  test('the success of a call that began before the outage does not end it', async () => {
    let finish = (_rows: string) => {};
    const slow = new Promise<string>((resolve) => (finish = resolve));
    // Without a `RequestContext`, the call has no deadline.
    const context = { switchToRpc: () => ({ getContext: () => undefined }) } as unknown as ExecutionContext;
    const early = firstValueFrom(interceptor.intercept(context, { handle: () => defer(() => slow) }));
    await jest.advanceTimersByTimeAsync(10);
    expect(await outcomeAfter(5_000)).toBe('UNAVAILABLE');
    finish('rows');
    await early;
    expect(await outcomeAfter(0)).toBe('UNAVAILABLE');
  });

  test('nothing is retried after the deadline', async () => {
    expect(await outcomeAfter(1_000, 1_000)).toBe('UNAVAILABLE');
    const before = tries;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(tries).toBe(before);
  });
});
