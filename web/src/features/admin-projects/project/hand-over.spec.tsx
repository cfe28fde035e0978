/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../../../workspace/dialog-checks.js';
import { openScreen } from '../../../workspace/open-screen.js';
import { HandOverDialog } from './HandOverDialog.js';

const project = { _id: 'project-1', version: 1, number: 1, title: 'Audit' } as StaffProject;

interface Sent {
  key: string | null;
  version: string | null;
  body: unknown;
}

/**
 * Opens the dialog. Returns the requests that hand work over; each gets the next of the `answers`. A click on 'The project changes' gives the dialog
 * the project's next version.
 */
function open(...answers: (() => Response | Promise<Response>)[]) {
  const sent: Sent[] = [];
  openScreen(
    () => {
      const [version, setVersion] = useState(1);
      const [isOpen, setOpen] = useState(true);
      return (
        <>
          <button type="button" onClick={() => setVersion(version + 1)}>
            The project changes
          </button>
          {isOpen && <HandOverDialog project={{ ...project, version }} close={() => setOpen(false)} />}
        </>
      );
    },
    (call) => (call.startsWith('POST') ? answers[sent.length - 1]?.() : undefined),
  );
  const { fetch: fakeFetch } = globalThis;
  globalThis.fetch = (async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (init.method === 'POST')
      sent.push({
        ...{ key: headers.get('idempotency-key'), version: headers.get('if-match') },
        body: JSON.parse(String(init.body)),
      });
    return fakeFetch(path, init);
  }) as typeof fetch;
  return sent;
}

afterEach(() => localStorage.clear());

const handedOver = () => Response.json({ ...project, version: 2 });
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const field = (label: RegExp) => screen.getByLabelText<HTMLTextAreaElement>(label);
const type = (value: string) => fireEvent.change(field(/What you hand over/), { target: { value } });
const changeProject = () => fireEvent.click(screen.getByText('The project changes'));
const submit = () => act(async () => void fireEvent.submit(document.querySelector('form')!));
const seeClosed = () => waitFor(() => expect(screen.queryByText(/Hand over: Audit/)).toBeNull());

test('work with a file whose upload failed cannot be handed over', async () => {
  const sent = open(handedOver);
  type('The report.');
  const picker = document.querySelector('input[type=file]')!;
  // An empty file is refused.
  fireEvent.change(picker, { target: { files: [new File([], 'empty.pdf')] } });
  await submit();
  await screen.findByText('A file couldn’t be uploaded. Try it again or remove it, then hand over.');
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove empty.pdf' }));
  await submit();
  await seeClosed();
  expect(sent.map(({ body }) => body)).toEqual([{ text: 'The report.', files: [], links: [] }]);
});

test('after a lost answer, another attempt is the same request, even if the project has changed', async () => {
  const sent = open(lost, handedOver);
  type('The report.');
  await submit();
  await screen.findByText(/We can’t reach the site/);
  changeProject();
  await submit();
  await seeClosed();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('after a refusal or a change of the text, another attempt is a new request for the version that is shown', async () => {
  const outdated = () => Response.json({ code: 'VERSION_MISMATCH' }, { status: 412 });
  const sent = open(outdated, lost, handedOver);
  type('The report.');
  await submit();
  await screen.findByText(/Someone else changed this project/);
  changeProject();
  await submit();
  await screen.findByText(/We can’t reach the site/);
  changeProject();
  type('The report, and a summary.');
  await submit();
  await seeClosed();
  expect(sent.map(({ version }) => version)).toEqual(['"1"', '"2"', '"3"']);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

test('the texts cannot change while they are being sent', async () => {
  let answer!: (response: Response) => void;
  open(() => new Promise((resolve) => (answer = resolve)));
  const readOnly = () => [field(/What you hand over/), field(/^Links/)].map((one) => one.readOnly);
  type('The report.');
  expect(readOnly()).toEqual([false, false]);
  await submit();
  await waitFor(() => expect(readOnly()).toEqual([true, true]));
  await act(async () => answer(handedOver()));
  await seeClosed();
});

test('while work is being handed over, the dialog stays open, so that the admin sees a refusal', async () => {
  const later = refuseLater();
  open(later.api);
  type('The report.');
  await submit();
  await expectOpenUntilRefused(later);
});

test.each([
  [
    'files',
    'must be files that you have uploaded and not sent',
    'A file in this draft can no longer be sent. Remove it here and upload it again.',
  ],
  ['links', 'must have at most 20 entries', 'Links: must have at most 20 entries.'],
])('a refusal of %s says what to correct', async (fieldName, message, sentence) => {
  const fields = [{ field: fieldName, message }];
  open(() =>
    Response.json(
      { code: 'INVALID_INPUT', detail: 'Please fix the highlighted fields.', errors: fields },
      { status: 400 },
    ),
  );
  type('The report.');
  await submit();
  await screen.findByText(sentence);
});
