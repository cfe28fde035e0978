/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { projectLimits, type StaffProject } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { UndoOffers } from '../../../workspace/UndoOffers.js';
import { Checklist } from './Checklist.js';

test('undoing the removal of a step puts the same step back, so that the server still knows who ticked it', async () => {
  const step = { id: 'write', text: 'Write', done: { by: 'Eve', at: '2026-11-20T10:00:00.000Z' } };
  const project = { _id: 'project-1', version: 1, checklist: [step] } as unknown as StaffProject;
  const sent: unknown[] = [];
  openScreen(
    () => (
      <>
        <Checklist project={project} />
        <UndoOffers />
      </>
    ),
    (call, body) => {
      if (call !== 'PUT /staff-project/project-1/checklist') return undefined;
      sent.push(body);
      return Response.json({ ...project, version: 2, checklist: [] });
    },
  );
  const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  await click('Reorder or remove steps');
  await click('Remove ‘Write’');
  await click('Undo');
  expect(sent).toEqual([{ items: [] }, { items: [{ id: 'write', text: 'Write', done: true }] }]);
});

test('adding the last step that is allowed moves the focus to the heading, because the form disappears', async () => {
  const checklist = Array.from({ length: projectLimits.checklist - 1 }, (_, index) => ({
    ...{ id: `step-${index}`, text: `Step ${index}`, done: null },
  }));
  const project = { _id: 'project-1', version: 1, checklist } as unknown as StaffProject;
  openScreen(
    () => <Checklist project={project} />,
    () => new Promise<never>(() => {}),
  );
  const field = screen.getByRole('textbox', { name: 'New step' });
  field.focus();
  fireEvent.change(field, { target: { value: 'The last one' } });
  await act(async () => void fireEvent.submit(field.closest('form')!));
  expect(screen.queryByRole('textbox', { name: 'New step' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Checklist' }));
});

test.each([
  ['the first step', 0, 1],
  ['the last step that is allowed', projectLimits.checklist - 1, projectLimits.checklist],
])('what is typed for a new step stays when a colleague adds %s', async (_, before, after) => {
  const withSteps = (version: number, count: number) =>
    ({
      ...{ _id: 'project-1', version },
      checklist: Array.from({ length: count }, (_, index) => ({
        id: `${index}`,
        text: `Step ${index}`,
        done: null,
      })),
    }) as unknown as StaffProject;
  function Screen() {
    const [project, setProject] = useState(withSteps(1, before));
    return (
      <>
        <Checklist project={project} />
        <button onClick={() => setProject(withSteps(2, after))}>Read again</button>
      </>
    );
  }
  openScreen(Screen, () => new Promise<never>(() => {}));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'New step' });
  fireEvent.change(field, { target: { value: 'Call the customer' } });
  fireEvent.click(screen.getByRole('button', { name: 'Read again' }));
  screen.getByText(`Step ${after - 1}`);
  expect(screen.getByRole('textbox', { name: 'New step' })).toBe(field);
  expect(field.value).toBe('Call the customer');
  expect(screen.queryByText(/^The checklist is full/) !== null).toBe(after === projectLimits.checklist);
});
