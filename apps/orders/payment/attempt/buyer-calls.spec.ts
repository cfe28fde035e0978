import { expect, test } from '@jest/globals';
import { NoAnswerYet } from '../payment-provider.js';
import { BuyerCalls } from './buyer-calls.js';

test('a slow provider keeps sixteen buyers waiting, and no more', async () => {
  const calls = new BuyerCalls();
  const answers: ((answer: string) => void)[] = [];
  const slow = () => new Promise<string>((resolve) => answers.push(resolve));
  const waiting = Array.from({ length: 16 }, () => calls.run(slow));
  await expect(calls.run(slow)).rejects.toThrow(NoAnswerYet);
  answers[0]!('done');
  expect(await waiting[0]).toBe('done');
  await expect(calls.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const next = calls.run(slow);
  for (const answer of answers) answer('done');
  expect(await Promise.all([...waiting, next])).toEqual(Array<string>(17).fill('done'));
});
