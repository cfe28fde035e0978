/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import type { Brief } from '#libs/contracts';
import { answerCalls } from '../../workspace/open-screen.js';
import { BriefSaver } from './brief-saver.js';

test('a save that is due while the brief is completed waits, and is not made if nothing is left to save', async () => {
  const brief = { questions: [], answers: {}, version: 1 } as unknown as Brief;
  const calls: string[] = [];
  let completed = () => {};
  answerCalls((call) => {
    calls.push(call);
    const answer = Response.json({ ...brief, answers: { goal: 'More visitors' }, version: 2 });
    return new Promise((resolve) => (completed = () => resolve(answer)));
  });
  const saver = new BriefSaver(brief, 'p', 'brief-of-p');
  saver.change('goal', 'More visitors');
  const completion = saver.complete();
  const save = saver.save();
  await new Promise((resolve) => setTimeout(resolve));
  completed();
  expect([await completion, await save, saver.state.saving]).toEqual([undefined, true, false]);
  expect(calls).toEqual(['POST /project/p/brief/completion']);
});
