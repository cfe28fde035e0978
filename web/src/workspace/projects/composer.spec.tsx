/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Link, MemoryRouter } from 'react-router-dom';
import type { Account, ProjectFile } from '#libs/contracts';
import { type Answer, unreachable } from '../../lib/api.js';
import { AccountContext } from '../current-screen.js';
import { QueryProvider } from '../QueryProvider.js';
import { Composer } from './Composer.js';
import { draftFrom, useTextDraft } from './text-draft.js';
import { draftKey, readDraft } from '../drafts.js';
import type { MessageBody } from './thread-calls.js';
import type { SendFile } from './upload-queue.js';

afterEach(() => {
  cleanup();
  localStorage.clear();
  resolveUpload = (file) => Promise.resolve(file);
});

const account = { id: 'ada' } as Account;
const headers = new Headers();
let resolveUpload = (file: ProjectFile): Promise<ProjectFile> => Promise.resolve(file);
const sendFile: SendFile = async ({ name, size }) => ({
  ok: true,
  headers,
  value: await resolveUpload({ _id: name, name, bytes: size } as ProjectFile),
});
const Surroundings = ({ children }: { children: ReactNode }) => (
  <MemoryRouter>
    <QueryProvider>
      <AccountContext value={account}>{children}</AccountContext>
    </QueryProvider>
  </MemoryRouter>
);
let sent: MessageBody[] = [];
const keys: string[] = [];
let resolveSend: (answer: Answer<unknown>) => void;

function Host({ kind }: { kind?: 'note' }) {
  const draft = useTextDraft('project', '1');
  const send = (body: MessageBody, key: string) => {
    sent.push(body);
    keys.push(key);
    return new Promise<Answer<unknown>>((resolve) => (resolveSend = resolve));
  };
  return <Composer {...{ draft, kind, sendFile, send }} label="Your message" actionLabel="Send" />;
}

const textBox = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your message' });
const addFile = (name: string) =>
  act(async () => {
    const picker = document.querySelector('input[type=file]')!;
    fireEvent.change(picker, { target: { files: [new File(['content'], name)] } });
  });

test('a file that is added while a message is being sent stays for the next one, and the text cannot change meanwhile', async () => {
  sent = [];
  render(
    <Surroundings>
      <Host />
    </Surroundings>,
  );
  fireEvent.change(textBox(), { target: { value: 'Hello' } });
  await addFile('a.pdf');
  expect(textBox().readOnly).toBe(false);
  await act(async () => void fireEvent.submit(textBox().form!));
  expect(sent).toEqual([{ text: 'Hello', files: ['a.pdf'] }]);
  expect(textBox().readOnly).toBe(true);
  await addFile('b.pdf');
  await act(async () => resolveSend({ ok: true, value: {}, headers }));
  expect(textBox().value).toBe('');
  expect(textBox().readOnly).toBe(false);
  expect(screen.queryByText('a.pdf')).toBeNull();
  screen.getByText('b.pdf');
  const kept = draftFrom(readDraft(draftKey('ada', 'project', '1'), new Date())?.values);
  expect(kept.files.map(({ name }) => name)).toEqual(['b.pdf']);
});

test('the same words can be sent as two messages, but a repeated attempt has the idempotency key of the first', async () => {
  keys.length = 0;
  render(
    <Surroundings>
      <Host />
    </Surroundings>,
  );
  const writeAndSend = async (answer: Answer<unknown>) => {
    fireEvent.change(textBox(), { target: { value: 'Thanks!' } });
    await act(async () => void fireEvent.submit(textBox().form!));
    await act(async () => resolveSend(answer));
  };
  await writeAndSend({ ok: false, problem: unreachable });
  await writeAndSend({ ok: true, value: {}, headers });
  await writeAndSend({ ok: true, value: {}, headers });
  const [first, repeated, another] = keys;
  expect(repeated).toBe(first);
  expect(another).not.toBe(first);
});

test('a text that changes while its files are still being uploaded is not sent when the upload ends', async () => {
  sent = [];
  let upload!: () => void;
  resolveUpload = (file) => new Promise((resolve) => (upload = () => resolve(file)));
  render(
    <Surroundings>
      <Host />
    </Surroundings>,
  );
  fireEvent.change(textBox(), { target: { value: 'See the file.' } });
  await addFile('a.pdf');
  await act(async () => void fireEvent.submit(textBox().form!));
  screen.getByRole('button', { name: 'Waiting for files' });
  fireEvent.change(textBox(), { target: { value: 'See the file. And' } });
  await act(async () => upload());
  expect(sent).toEqual([]);
  screen.getByRole('button', { name: 'Send' });
  // Restoring the text does not send it, either.
  await act(async () => void fireEvent.change(textBox(), { target: { value: 'See the file.' } }));
  expect(sent).toEqual([]);
});

test('a note needs a text, even if it has a file', async () => {
  sent = [];
  render(
    <Surroundings>
      <Host kind="note" />
    </Surroundings>,
  );
  await addFile('a.pdf');
  await act(async () => void fireEvent.submit(textBox().form!));
  expect(sent).toEqual([]);
  screen.getByText('Your message is empty.');
});

test('if the quoted message was deleted meanwhile, the person is told to remove the quote', async () => {
  render(
    <Surroundings>
      <Host />
    </Surroundings>,
  );
  fireEvent.change(textBox(), { target: { value: 'Yes.' } });
  await act(async () => void fireEvent.submit(textBox().form!));
  const fields = [{ field: 'quote', message: 'is not a message of this project' }];
  await act(async () => resolveSend({ ok: false, problem: { status: 400, sentence: '', fields } }));
  screen.getByText('The message that you quote was deleted. Remove the quote, then send.');
});

test('the focus stays where the person went on while a message was being sent', async () => {
  render(
    <Surroundings>
      <Host />
      <input aria-label="Elsewhere" />
    </Surroundings>,
  );
  fireEvent.change(textBox(), { target: { value: 'Hello' } });
  await act(async () => void fireEvent.submit(textBox().form!));
  const elsewhere = screen.getByLabelText('Elsewhere');
  elsewhere.focus();
  await act(async () => resolveSend({ ok: true, value: {}, headers }));
  expect(document.activeElement).toBe(elsewhere);
});

test('a link that is followed while a file is being uploaded asks first', async () => {
  resolveUpload = () => new Promise(() => {});
  render(
    <Surroundings>
      <Host />
      <Link to="/elsewhere">Elsewhere</Link>
    </Surroundings>,
  );
  await addFile('a.pdf');
  fireEvent.click(screen.getByText('Elsewhere'));
  screen.getByText(/A file is still being uploaded/);
});
