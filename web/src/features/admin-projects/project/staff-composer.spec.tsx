/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { Link } from 'react-router-dom';
import type { StaffProject } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { StaffComposer } from './StaffComposer.js';
import { useStaffDrafts } from './staff-drafts.js';

afterEach(() => localStorage.clear());

jest.unstable_mockModule('tus-js-client', () => ({
  /** An upload that does not end. */
  Upload: class {
    start(): void {}
    async findPreviousUploads(): Promise<[]> {
      return [];
    }
    async abort(): Promise<void> {}
  },
}));

const project = { _id: 'project-1', customerName: 'Ada' } as StaffProject;

function Host() {
  const drafts = useStaffDrafts(project._id);
  return (
    <>
      <StaffComposer project={project} drafts={drafts} show={() => {}} />
      <Link to="/elsewhere">Elsewhere</Link>
    </>
  );
}

test('the text of a note that is being sent does not become a draft of a message to the customer', async () => {
  let answer!: () => void;
  openScreen(Host, (call) =>
    call === 'POST /staff-project/project-1/notes'
      ? new Promise((resolve) => (answer = () => resolve(Response.json({}))))
      : undefined,
  );
  fireEvent.click(screen.getByRole('button', { name: /^Note/ }));
  const note = screen.getByRole<HTMLTextAreaElement>('textbox');
  fireEvent.change(note, { target: { value: 'Hard to reach.' } });
  await act(async () => void fireEvent.submit(note.form!));
  fireEvent.click(screen.getByRole('button', { name: /^Message/ }));
  await act(async () => answer());
  fireEvent.click(screen.getByRole('button', { name: /^Message/ }));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to Ada' }).value).toBe('');
});

test('a file that is being uploaded for a note stays with the note when the mode changes', async () => {
  openScreen(Host, () => undefined);
  fireEvent.click(screen.getByRole('button', { name: /^Note/ }));
  const pickers = document.querySelectorAll('input[type=file]');
  const ofNote = [...pickers].find((picker) => !picker.closest('[hidden]'))!;
  await act(
    async () => void fireEvent.change(ofNote, { target: { files: [new File(['content'], 'a.pdf')] } }),
  );
  fireEvent.click(screen.getByRole('button', { name: /^Message/ }));
  expect(screen.queryByRole('list', { name: 'Files of message to Ada' })).toBeNull();
  // The question whether to leave is visible, although it is about the hidden note.
  fireEvent.click(screen.getByText('Elsewhere'));
  expect(screen.getByText(/still being uploaded/).closest('[hidden]')).toBeNull();
  fireEvent.click(screen.getByText('Stay'));
  fireEvent.click(screen.getByRole('button', { name: /^Note/ }));
  expect(screen.getByRole('list', { name: 'Files of note for staff' }).textContent).toContain('a.pdf');
});

test('a message that waits for its files is not sent once staff go on to a note, and says so', async () => {
  const sent: string[] = [];
  openScreen(Host, (call) => {
    if (call.startsWith('POST')) sent.push(call);
    return undefined;
  });
  const picker = [...document.querySelectorAll('input[type=file]')].find((one) => !one.closest('[hidden]'))!;
  await act(
    async () => void fireEvent.change(picker, { target: { files: [new File(['content'], 'a.pdf')] } }),
  );
  const message = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to Ada' });
  await act(async () => void fireEvent.submit(message.form!));
  screen.getByRole('button', { name: 'Waiting for files' });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /^Note/ })));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: /^Message/ })));
  screen.getByText('This wasn’t sent, because you went on to something else.');
  expect(sent).toEqual([]);
});
