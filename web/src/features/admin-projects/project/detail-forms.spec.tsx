/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { projectLimits, type StaffProject } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { UndoOffers } from '../../../workspace/UndoOffers.js';
import { AssigneesForm, DueDateForm, LabelsForm, TitleForm } from './detail-forms.js';

const people = Array.from({ length: projectLimits.assignees + 1 }, (_, index) => ({
  ...{ accountId: `person-${index}`, name: `Person ${index}`, email: `person-${index}@example.com` },
}));
type Person = (typeof people)[number];
const [person0, person1, person2] = people as [Person, Person, Person];

/** Opens the form for a project with the values `opened`. Then a colleague saves `changedByColleague`. */
async function open(
  Form: typeof AssigneesForm,
  opened: Partial<StaffProject>,
  changedByColleague: Partial<StaffProject>,
) {
  const base = { _id: 'project-1', version: 1, title: 'Audit', dueOn: null, labels: [], assignees: [] };
  let stored = { ...base, ...opened } as unknown as StaffProject;
  const newer = { ...stored, ...changedByColleague, version: 2 };
  const initial = stored;
  const sent: unknown[] = [];
  openScreen(
    () => {
      const [project, show] = useState(initial);
      const [closed, setClosed] = useState(false);
      return (
        <>
          <button type="button" onClick={() => show((stored = newer))}>
            A colleague saves
          </button>
          {!closed && <Form project={project} close={() => setClosed(true)} />}
          <UndoOffers />
        </>
      );
    },
    (call, body) => {
      if (call === 'GET /project-staff') return Response.json(people);
      if (call === 'GET /staff-projects/summary') return Response.json({ labels: [] });
      sent.push(body);
      // The fake site does not see the version: the first call after a colleague's change counts as outdated.
      if (stored === newer && sent.length === 1)
        return Response.json({ code: 'VERSION_MISMATCH', current: stored }, { status: 412 });
      const { assignees, ...others } = body as { assignees?: string[] };
      const assigned = assignees?.map((id) => people.find(({ accountId }) => accountId === id));
      stored = { ...stored, ...others, ...(assigned && { assignees: assigned }) } as StaffProject;
      return Response.json(stored);
    },
  );
  await screen.findByRole('form');
  fireEvent.click(screen.getByText('A colleague saves'));
  return { sent, stored: () => stored };
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

test('the form for the people of a project says why nobody else can be chosen once the limit is reached', async () => {
  const project = { _id: 'project-1', assignees: people.slice(0, projectLimits.assignees) };
  openScreen(
    () => <AssigneesForm project={project as StaffProject} close={() => {}} />,
    () => Response.json(people),
  );
  const last = await screen.findByRole('checkbox', { name: /Person 10/ });
  expect((last as HTMLInputElement).disabled).toBe(true);
  screen.getByText('A project can have up to 10 people. Remove one to add another.');
  fireEvent.click(screen.getByRole('checkbox', { name: /Person 1 / }));
  expect((last as HTMLInputElement).disabled).toBe(false);
  expect(screen.queryByText(/up to 10 people/)).toBeNull();
});

test('the focus is in the form for people while the list of staff is loading', () => {
  openScreen(
    () => (
      <AssigneesForm
        project={{ _id: 'project-1', assignees: [] } as unknown as StaffProject}
        close={() => {}}
      />
    ),
    () => new Promise(() => {}),
  );
  expect(document.activeElement).toBe(screen.getByRole('form'));
});

test('a person whom a colleague assigned while the form was open stays assigned, even after Undo', async () => {
  const { sent, stored } = await open(
    AssigneesForm,
    { assignees: [person0] },
    { assignees: [person0, person1] },
  );
  fireEvent.click(await screen.findByRole('checkbox', { name: /Person 2 / }));
  save();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[1]).toEqual({ assignees: [person0, person1, person2].map(({ accountId }) => accountId) });
  expect(stored().assignees).toEqual([person0, person1]);
});

test('a label that a colleague added while the form was open stays, and one that they removed stays removed', async () => {
  const { stored } = await open(LabelsForm, { labels: ['A', 'B'] }, { labels: ['B', 'C'] });
  type('Labels', 'A, D');
  save();
  await screen.findByText('Labels: C, D');
  expect(stored().labels).toEqual(['C', 'D']);
});

test.each([
  ['title', TitleForm, { title: 'Audit' }, 'Colleague’s title', 'My title'],
  ['due date', DueDateForm, { dueOn: '2026-12-01' }, '2026-12-24', '2027-01-01'],
] as const)(
  'a %s that a colleague changed while the form was open is replaced only after a warning',
  async (name, Form, before, theirs, mine) => {
    const [field] = Object.keys(before) as ['title' | 'dueOn'];
    const { sent, stored } = await open(Form, before, { [field]: theirs });
    type(name === 'title' ? 'Title' : 'Due date', mine);
    save();
    await screen.findByText(/Someone else changed this project in the meantime/);
    expect(stored()[field]).toBe(theirs);
    save();
    await screen.findByText(/ is now /);
    expect(sent).toHaveLength(2);
    expect(stored()[field]).toBe(mine);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(stored()[field]).toBe(theirs));
  },
);

test('an assigned person who is no longer an admin can be removed', async () => {
  const formerAdmin = { accountId: 'former', name: 'Former Admin', email: 'former@example.com' };
  const { sent } = await open(AssigneesForm, { assignees: [person0, formerAdmin] }, {});
  await screen.findByRole('checkbox', { name: /Person 0 / });
  fireEvent.click(screen.getByRole('checkbox', { name: /Former Admin/ }));
  // The former admin stays in the list, so that the change can be taken back.
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Former Admin/ }).checked).toBe(false);
  save();
  await waitFor(() => expect(sent.at(-1)).toEqual({ assignees: [person0.accountId] }));
});

test.each(['', '  '])('the title %j is not saved, and the form stays open', async (emptied) => {
  const { sent } = await open(TitleForm, {}, {});
  type('Title', emptied);
  save();
  expect((screen.getByLabelText('Title', { selector: 'input' }) as HTMLInputElement).validity.valid).toBe(
    false,
  );
  expect(sent).toEqual([]);
});

test('Escape while an input method composes a character does not close the form', async () => {
  await open(TitleForm, {}, {});
  const title = screen.getByLabelText('Title', { selector: 'input' });
  fireEvent.keyDown(title, { key: 'Escape', isComposing: true });
  expect(screen.queryByRole('form')).not.toBeNull();
  fireEvent.keyDown(title, { key: 'Escape' });
  expect(screen.queryByRole('form')).toBeNull();
});

test('adding a label of another project returns the focus to the field', async () => {
  const project = { _id: 'project-1', labels: ['A'] } as unknown as StaffProject;
  openScreen(
    () => <LabelsForm project={project} close={() => {}} />,
    () => Response.json({ labels: ['A', 'B'] }),
  );
  const add = await screen.findByRole('button', { name: 'Add label B' });
  add.focus();
  fireEvent.click(add);
  const field = screen.getByLabelText<HTMLInputElement>('Labels', { selector: 'input' });
  expect(field.value).toBe('A, B');
  expect(document.activeElement).toBe(field);
});
