/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { Project } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { NextStep } from './NextStep.js';

const deliverables = {
  data: undefined,
  total: undefined,
  loading: false,
  retrying: false,
  reading: false,
  problem: undefined,
  retry: () => {},
};

const openBrief = { questions: 5, answered: 2, completedAt: null };

test.each<[string, Project['brief'], string]>([
  ['questions to answer', openBrief, 'You can still write messages and answer the questions here.'],
  [
    'all answers sent',
    { ...openBrief, completedAt: '2026-11-22T12:00:00.000Z' },
    'You can still write messages here.',
  ],
  ['no questions', null, 'You can still write messages here.'],
])('a project on hold with %s says what the customer can do', (_what, brief, text) => {
  const project = { _id: '1', state: 'on_hold', step: null, reason: null, brief } as Project;
  openScreen(
    () => <NextStep project={project} deliverables={deliverables} />,
    () => undefined,
  );
  expect(document.body.textContent).toContain(text);
});

test('if the delivery to review cannot be read, the failure is shown in its place', () => {
  const project = { _id: '1', state: 'delivered', step: 'review', reason: null, brief: null } as Project;
  const problem = { status: 503, sentence: 'Please try again in a minute.', fields: [] };
  const retry = jest.fn();
  openScreen(
    () => <NextStep project={project} deliverables={{ ...deliverables, problem, retry }} />,
    () => undefined,
  );
  expect(screen.getByRole('alert').textContent).toContain('Please try again in a minute.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalled();
});
