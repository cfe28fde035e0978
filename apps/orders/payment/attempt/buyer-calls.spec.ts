import { afterEach, expect, jest, test } from '@jest/globals';
import type { Logger } from '#libs/platform';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { RefusedByProvider } from '../payment-provider.js';
import { BuyerCalls } from './buyer-calls.js';

afterEach(() => void jest.useRealTimers());

const request = () => ({ deadline: performance.now() + 10_000 });
const about = { orderId: 'order' };
const logger = () => ({ warn: jest.fn(), error: jest.fn() });
const buyerCalls = (log = logger()) => new BuyerCalls(log as unknown as Logger);

test('a slow provider keeps at most sixteen buyers waiting; the end of a call, even a failure, makes room for another', async () => {
  const calls = buyerCalls();
  const answers: ((answer: string) => void)[] = [];
  const slow = () => new Promise<string>((resolve) => answers.push(resolve));
  const waiting = Array.from({ length: 16 }, () => calls.run(request(), slow, about));
  await expect(calls.run(request(), slow, about)).rejects.toThrow(NoAnswerYet);
  answers[0]!('done');
  expect(await waiting[0]).toBe('done');
  await expect(calls.run(request(), () => Promise.reject(new Error('refused')), about)).rejects.toThrow(
    'refused',
  );
  const next = calls.run(request(), slow, about);
  for (const answer of answers) answer('done');
  expect(await Promise.all([...waiting, next])).toEqual(Array<string>(17).fill('done'));
});

test('a request is answered before its deadline, but its call counts towards the limit until the call has ended', async () => {
  jest.useFakeTimers();
  const calls = buyerCalls();
  const answers: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => answers.push(resolve));
  const unanswered = Array.from({ length: 16 }, () =>
    expect(calls.run(request(), slow, about)).rejects.toThrow('while the caller waited'),
  );
  await jest.advanceTimersByTimeAsync(9_000);
  await Promise.all(unanswered);
  await expect(calls.run(request(), slow, about)).rejects.toThrow('too many calls');
  answers.forEach((answer) => answer());
  await jest.advanceTimersByTimeAsync(0);
  expect(await calls.run(request(), () => Promise.resolve('done'), about)).toBe('done');
});

test('a request without time left makes no call', async () => {
  const call = jest.fn<() => Promise<void>>();
  await expect(buyerCalls().run({ deadline: performance.now() }, call, about)).rejects.toThrow(NoAnswerYet);
  expect(call).not.toHaveBeenCalled();
});

const message = 'A call to the provider failed after the caller had stopped waiting';
const ownError = new Error('a fault in our code');
test.each([
  ['an error of our own is logged as an error', ownError, [], [[{ ...about, err: ownError }, message]]],
  [
    'a refusal is logged as a warning',
    new RefusedByProvider('no'),
    [[{ ...about, reason: 'no' }, message]],
    [],
  ],
  // For an unreachable provider, the call rejects with a NoAnswerYet instead.
  ['an unreachable Postgres is not logged', Object.assign(new Error(), { code: 'ECONNREFUSED' }), [], []],
])('after the caller has stopped waiting, %s', async (_, lateError, warn, error) => {
  jest.useFakeTimers();
  const log = logger();
  let fail: (reason: Error) => void = () => undefined;
  const call = () => new Promise<void>((_resolve, reject) => (fail = reject));
  const unanswered = expect(buyerCalls(log).run(request(), call, about, 4_000)).rejects.toThrow(NoAnswerYet);
  await jest.advanceTimersByTimeAsync(4_000);
  await unanswered;
  fail(lateError);
  await jest.advanceTimersByTimeAsync(0);
  expect([log.warn.mock.calls, log.error.mock.calls]).toEqual([warn, error]);
});
