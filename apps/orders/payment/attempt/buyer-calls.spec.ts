import { afterEach, expect, jest, test } from '@jest/globals';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { BuyerCalls } from './buyer-calls.js';

afterEach(() => void jest.useRealTimers());

const request = () => ({ deadline: performance.now() + 10_000 });

test('a slow provider keeps at most sixteen buyers waiting', async () => {
  const calls = new BuyerCalls();
  const answers: ((answer: string) => void)[] = [];
  const slow = () => new Promise<string>((resolve) => answers.push(resolve));
  const waiting = Array.from({ length: 16 }, () => calls.run(request(), slow));
  await expect(calls.run(request(), slow)).rejects.toThrow(NoAnswerYet);
  answers[0]!('done');
  expect(await waiting[0]).toBe('done');
  await expect(calls.run(request(), () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const next = calls.run(request(), slow);
  for (const answer of answers) answer('done');
  expect(await Promise.all([...waiting, next])).toEqual(Array<string>(17).fill('done'));
});

test('a request is answered before its deadline, but its call counts towards the limit until the call has ended', async () => {
  jest.useFakeTimers();
  const calls = new BuyerCalls();
  const answers: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => answers.push(resolve));
  const unanswered = Array.from({ length: 16 }, () =>
    expect(calls.run(request(), slow)).rejects.toThrow('while the buyer waited'),
  );
  await jest.advanceTimersByTimeAsync(9_000);
  await Promise.all(unanswered);
  await expect(calls.run(request(), slow)).rejects.toThrow('too many calls');
  answers.forEach((answer) => answer());
  await jest.advanceTimersByTimeAsync(0);
  expect(await calls.run(request(), () => Promise.resolve('done'))).toBe('done');
});

test('a request without time left makes no call', async () => {
  const call = jest.fn<() => Promise<void>>();
  await expect(new BuyerCalls().run({ deadline: performance.now() }, call)).rejects.toThrow(NoAnswerYet);
  expect(call).not.toHaveBeenCalled();
});
