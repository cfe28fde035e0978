import { expect, test } from '@jest/globals';
import type { StaffProject } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { changeProject } from './change-project.js';

const project = (version: number, labels: string[] = []) => ({ version, labels }) as StaffProject;
const outdated = (current: StaffProject): Answer<StaffProject, StaffProject> => ({
  ok: false,
  problem: { status: 412, sentence: 'Outdated', fields: [], current },
});

/** A change that adds the label 'New'. Before each attempt, somebody else saves the next of `savedByOthers`. */
function labelChange(...savedByOthers: StaffProject[]) {
  let stored = project(1, ['A']);
  return async (known: StaffProject): Promise<Answer<StaffProject, StaffProject>> => {
    stored = savedByOthers.shift() ?? stored;
    if (known.version !== stored.version) return outdated(stored);
    stored = project(stored.version + 1, [...known.labels, 'New']);
    return { ok: true, value: stored, headers: new Headers() };
  };
}

test('a change is applied to the version that somebody else has saved meanwhile', async () => {
  const answer = await changeProject(project(1, ['A']), labelChange(project(2, ['A', 'B'])));
  expect(answer).toMatchObject({ ok: true, value: { version: 3, labels: ['A', 'B', 'New'] } });
});

test('nothing is overwritten if the change no longer makes sense', async () => {
  const answer = await changeProject(project(1), labelChange(project(2, ['B'])), () => false);
  expect(answer).toMatchObject({ ok: false, problem: { status: 412, current: { version: 2 } } });
});

test('a change is given up when others are always faster', async () => {
  const others = Array.from({ length: 9 }, (_, index) => project(index + 2));
  expect(await changeProject(project(1), labelChange(...others))).toMatchObject({ ok: false });
});
