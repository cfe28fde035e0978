/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import type { Brief } from '#libs/contracts';
import { answerCalls } from '../../workspace/open-screen.js';
import { BriefSaver } from './brief-saver.js';

afterEach(() => localStorage.clear());

test('a save that is due while the brief is being completed waits, and makes no call if nothing is left to save', async () => {
  const brief = { questions: [], answers: {}, version: 1 } as unknown as Brief;
  const calls: string[] = [];
  let answerCompletion = () => {};
  answerCalls((call) => {
    calls.push(call);
    const answer = Response.json({ ...brief, answers: { goal: 'More visitors' }, version: 2 });
    return new Promise((resolve) => (answerCompletion = () => resolve(answer)));
  });
  const saver = new BriefSaver(brief, 'p', 'brief-of-p');
  saver.change('goal', 'More visitors');
  const completion = saver.complete();
  const save = saver.save();
  await new Promise((resolve) => setTimeout(resolve));
  answerCompletion();
  expect([await completion, await save, saver.state.saving]).toEqual([undefined, true, false]);
  expect(calls).toEqual(['POST /project/p/brief/completion']);
});

test('a completion whose response was lost is repeated with the same idempotency key until the person changes an answer', async () => {
  const brief = { questions: [], answers: {}, version: 1 } as unknown as Brief;
  answerCalls(() => Promise.reject(new TypeError('Failed to fetch')));
  const keys: unknown[] = [];
  const { fetch: fakeFetch } = globalThis;
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    return fakeFetch(path, init);
  }) as typeof fetch;
  const saver = new BriefSaver(brief, 'p', 'brief-of-p');
  for (const goal of ['More visitors', 'More visitors', 'More customers']) {
    saver.change('goal', goal);
    expect(await saver.complete()).toMatchObject({ status: 0 });
  }
  const [firstKey, repeatedKey, keyAfterChange] = keys;
  expect(firstKey).toEqual(expect.any(String));
  expect(repeatedKey).toBe(firstKey);
  expect(keyAfterChange).not.toBe(firstKey);
});

test('answers kept in this browser are merged with those that somebody else has saved since', () => {
  const before = { questions: [], answers: { goal: 'More', name: 'Ada' }, version: 1 } as unknown as Brief;
  const saver = new BriefSaver(before, 'p', 'brief-of-p');
  saver.change('goal', 'More visitors');
  saver.change('site', 'https://mine.example');
  const answers = { goal: 'More', name: 'Grace', site: 'https://theirs.example' };
  const stored = { ...before, answers, savedBy: 'Grace', version: 2 };
  const { state } = new BriefSaver(stored, 'p', 'brief-of-p');
  expect(state.answers).toEqual({ goal: 'More visitors', name: 'Grace', site: 'https://mine.example' });
  expect(state.conflicts).toEqual([{ questionId: 'site', answer: 'https://theirs.example', by: 'Grace' }]);
});
