import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { TimeoutError, within } from './within.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('settles as the work does if the work ends in time', async () => {
  const failure = new Error('refused');
  await expect(within(1_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(1_000, Promise.reject(failure))).rejects.toBe(failure);
});

test('rejects when the time is over, with the message that was given', async () => {
  const endless = new Promise(() => undefined);
  const refused = expect(within(1_000, endless, 'Redis is silent')).rejects.toEqual(
    new TimeoutError('Redis is silent'),
  );
  await jest.advanceTimersByTimeAsync(1_000);
  await refused;
});
