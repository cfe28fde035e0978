/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import type { Project } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { NextStep } from './NextStep.js';

const open = { questions: 5, answered: 2, completedAt: null };

test.each<[string, Project['brief'], string]>([
  ['questions to answer', open, 'You can still write messages and answer the questions here.'],
  [
    'all answers sent',
    { ...open, completedAt: '2026-11-22T12:00:00.000Z' },
    'You can still write messages here.',
  ],
  ['no questions', null, 'You can still write messages here.'],
])('a project on hold with %s says what the customer can do', (_what, brief, text) => {
  const project = { _id: '1', state: 'on_hold', step: null, reason: null, brief } as Project;
  openScreen(
    () => <NextStep project={project} deliverable={undefined} />,
    () => undefined,
  );
  expect(document.body.textContent).toContain(text);
});
