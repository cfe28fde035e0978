/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { StaffProject } from '#libs/contracts';
import { answerCalls } from '../../../workspace/open-screen.js';
import { QueryProvider } from '../../../workspace/QueryProvider.js';
import { adding } from './step-changes.js';
import { useChecklist } from './use-checklist.js';

afterEach(cleanup);

test('a new step is shown once and keeps its local id, even if a fetched project contains it before the answer to the change arrives', async () => {
  const project = { _id: 'project-1', version: 1, checklist: [] } as unknown as StaffProject;
  const step = { id: 'stored', text: 'Call the customer', done: null };
  const saved: StaffProject = { ...project, version: 2, checklist: [step] };
  let answer!: (response: Response) => void;
  answerCalls(() => new Promise((resolve) => (answer = resolve)));
  const { result, rerender } = renderHook(useChecklist, { initialProps: project, wrapper: QueryProvider });
  const texts = () => result.current.steps.map(({ text }) => text);
  let change: Promise<unknown> | undefined;
  await act(async () => {
    change = result.current.change(adding({ ...step, id: 'local', isNew: true }));
  });
  rerender(saved);
  expect(texts()).toEqual(['Call the customer']);
  await act(async () => {
    answer(Response.json(saved));
    await change;
  });
  expect(result.current.steps).toEqual([{ ...step, id: 'local' }]);
});
