import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { abortAfter, TimeoutError, within } from './within.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('`within` settles as the work does if the work ends in time', async () => {
  const failure = new Error('refused');
  await expect(within(1_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(1_000, Promise.reject(failure))).rejects.toBe(failure);
});

test('`within` rejects when the time is over, with the message that was given', async () => {
  const endless = new Promise(() => undefined);
  const rejection = expect(within(1_000, endless, 'Redis is silent')).rejects.toEqual(
    new TimeoutError('Redis is silent'),
  );
  await jest.advanceTimersByTimeAsync(1_000);
  await rejection;
});

describe('the signal of `abortAfter`', () => {
  const late = new Error('too late');
  const untilAborted = (signal: AbortSignal) =>
    new Promise<unknown>((resolve) => {
      if (signal.aborted) resolve(signal.reason);
      signal.addEventListener('abort', () => resolve(signal.reason));
    });

  test('aborts when the time is over', async () => {
    const reason = abortAfter(1_000, late, untilAborted);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await reason).toBe(late);
  });

  test('aborts when the caller’s signal aborts, even if that happened before the work began', async () => {
    const stopping = new AbortController();
    const reason = abortAfter(1_000, late, untilAborted, stopping.signal);
    stopping.abort('stopping');
    expect(await reason).toBe('stopping');
    expect(await abortAfter(1_000, late, untilAborted, stopping.signal)).toBe('stopping');
  });

  test('does not abort once the work has ended', async () => {
    const stopping = new AbortController();
    const signal = await abortAfter(1_000, late, (own) => Promise.resolve(own), stopping.signal);
    await jest.advanceTimersByTimeAsync(1_000);
    stopping.abort();
    expect(signal.aborted).toBe(false);
  });
});
