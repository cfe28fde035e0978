/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { defineCollection, longText, optional, type Section, text } from '#libs/content-model';
import { changeSession } from '../../../lib/session.js';
import { type PageData, SiteContext } from '../../../lib/site.js';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { AccountContext } from '../../../workspace/current-screen.js';
import { QueryProvider } from '../../../workspace/QueryProvider.js';
import { useRecordForm } from './record-form.js';
import { RecordEditor } from './RecordEditor.js';

const section = defineCollection({
  name: 'question',
  labels: { one: 'question', many: 'questions' },
  fields: { title: text('Question'), reply: longText('Answer') },
  routes: { list: '/questions', one: '/question/:id', create: '/add-question', update: '/question/:id' },
  toasts: { created: 'Question Added', updated: 'Question Updated' },
});

const stored = (version: number, fields: Record<string, string> = {}): StoredRecord =>
  Object.assign(
    {
      _id: '0190a5f4-5c1e-7000-8000-000000000001',
      version,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    },
    { title: 'How long?', reply: 'A month.', ...fields } as Values,
  );
const record = stored(3);

interface Call {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

const calls: Call[] = [];
const respond = jest.fn<(call: Call) => Response | Promise<Response>>();
const realFetch = globalThis.fetch;

const refusal = (status: number, problem: object) => Response.json(problem, { status });
const account = { id: 'ada', email: 'ada@example.com', role: 'Admin' } as Account;
const data = { site: {}, publicUrl: '', readAt: 1 } as PageData;

interface EditorProps {
  record?: StoredRecord;
  onSaved?: () => void;
  section?: Section;
}

function Editor({ section: edited = section, ...options }: EditorProps) {
  const form = useRecordForm({ section: edited, ...options });
  return <RecordEditor section={edited} form={form} actionLabel="Save" />;
}

/** Unmounts the editor and renders a new one, as a reload does. */
function open({ as = account, ...editor }: EditorProps & { as?: Account } = {}) {
  cleanup();
  render(
    <BrowserRouter>
      <SiteContext value={{ data, refresh: () => undefined }}>
        <QueryProvider>
          <AccountContext value={as}>
            <main id="main" tabIndex={-1}>
              <Editor {...editor} />
            </main>
          </AccountContext>
        </QueryProvider>
      </SiteContext>
    </BrowserRouter>,
  );
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });
const press = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)));
const values = () => [input('Question').value, input('Answer').value];

/** The next call waits until the returned function answers it. */
function answerLater(): (response: Response) => void {
  let answer!: (response: Response) => void;
  respond.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  return answer;
}

beforeEach(() => {
  localStorage.clear();
  calls.length = 0;
  respond.mockReset();
  globalThis.fetch = (async (path: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const call = {
      path,
      method,
      headers: headers as Record<string, string>,
      body: body && JSON.parse(String(body)),
    };
    calls.push(call);
    return respond(call);
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

describe('an optional field with a default', () => {
  const withDefault: Section = {
    ...section,
    fields: { ...section.fields, reply: { ...optional(longText('Answer')), default: 'Soon.' } },
  };
  const answerField = () => screen.getByLabelText<HTMLTextAreaElement>(/^Answer/);

  test('shows the default while it is empty, which is not a change', () => {
    open({ record: stored(3, { reply: '' }), section: withDefault });
    expect(answerField().value).toBe('Soon.');
    expect(screen.queryByText('Not saved yet')).toBeNull();
  });

  test('is stored as empty while it has the default, even after it had another text', async () => {
    respond.mockImplementation(() => Response.json(stored(4, { reply: '' })));
    open({ record, section: withDefault });
    expect(answerField().value).toBe('A month.');
    fireEvent.change(answerField(), { target: { value: 'Soon.' } });
    await press('Save');
    expect(calls.at(0)?.body).toEqual({ title: 'How long?', reply: '' });
    await waitFor(() => expect(answerField().value).toBe('Soon.'));
  });
});

describe('a draft', () => {
  test('survives a reload, and can be restored', () => {
    open({ record });
    type('Answer', 'Two months.');
    open({ record });
    expect(values()).toEqual(['How long?', 'A month.']);
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long?', 'Two months.']);
  });

  test('of a new record survives too, and belongs to its account only', () => {
    open();
    type('Question', 'How much?');
    open({ as: { ...account, id: 'grace' } });
    expect(screen.queryByText('Restore draft')).toBeNull();
    open();
    expect(screen.queryByText('Restore draft')).not.toBeNull();
  });

  test('is deleted by discarding it', () => {
    open({ record });
    type('Answer', 'Two months.');
    open({ record });
    fireEvent.click(screen.getByText('Discard draft'));
    open({ record });
    expect(screen.queryByText('Restore draft')).toBeNull();
  });

  test('stays until it is restored or discarded, whatever is typed meanwhile', () => {
    open({ record });
    type('Answer', 'Two months.');
    open({ record });
    type('Question', 'H');
    open({ record });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long?', 'Two months.']);
  });

  test.each(['Restore draft', 'Discard draft'])(
    'leaves the keyboard in the content after ‘%s’, whose button disappears',
    async (name) => {
      open({ record });
      type('Question', 'When?');
      open({ record });
      screen.getByText(name).focus();
      await press(name);
      expect(document.activeElement?.id).toBe('main');
    },
  );

  test('leaves the fields alone that were changed while it was offered, and is then kept together with them', () => {
    open({ record });
    type('Answer', 'Two months.');
    type('Question', 'How long does it take?');
    open({ record });
    type('Question', 'How much?');
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How much?', 'Two months.']);
    open({ record });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How much?', 'Two months.']);
  });

  test('that is discarded makes room for what was typed while it was offered', () => {
    open({ record });
    type('Answer', 'Two months.');
    open({ record });
    type('Question', 'How much?');
    fireEvent.click(screen.getByText('Discard draft'));
    open({ record });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How much?', 'A month.']);
  });

  test.each([
    ['is promised on leaving', false],
    ['is not promised on leaving while another draft is offered', true],
  ])('%s', (_, isOffered) => {
    open({ record });
    if (isOffered) {
      type('Answer', 'Two months.');
      open({ record });
    }
    type('Question', 'H');
    const link = document.body.appendChild(document.createElement('a'));
    link.href = '/elsewhere';
    fireEvent.click(link);
    link.remove();
    const text = screen.getByText(/^Your changes aren’t saved\./).textContent;
    expect(text?.includes('keeps them as a draft')).toBe(!isOffered);
  });

  test('is deleted by saving', async () => {
    respond.mockReturnValue(Response.json(stored(4, { reply: 'Two months.' })));
    open({ record });
    type('Answer', 'Two months.');
    await press('Save');
    // With the old record, because a draft that equals the record's values is never offered.
    open({ record });
    expect(screen.queryByText('Restore draft')).toBeNull();
  });

  test('of an older version is saved against that version, so that newer changes are not overwritten', async () => {
    respond.mockReturnValue(Response.json(stored(5)));
    open({ record });
    type('Answer', 'Two months.');
    open({ record: stored(4, { title: 'How long does it take?' }) });
    fireEvent.click(screen.getByText('Restore draft'));
    await press('Save');
    expect(calls[0]?.headers['if-match']).toBe('"3"');
  });

  test('of an older version keeps what somebody else has changed meanwhile in other fields', async () => {
    const theirs = stored(4, { reply: 'Two months.' });
    open({ record });
    type('Question', 'How long does it take?');
    open({ record: theirs });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long does it take?', 'Two months.']);
    respond.mockReturnValueOnce(refusal(412, { detail: 'There is a newer version.', current: theirs }));
    await press('Save');
    const fields = screen.getAllByRole('group').map((group) => group.textContent);
    expect(fields).toEqual(['QuestionYoursHow long does it take?TheirsHow long?']);
    respond.mockReturnValueOnce(
      Response.json(stored(5, { title: 'How long does it take?', reply: 'Two months.' })),
    );
    await press('Save choices');
    expect(calls[1]?.body).toEqual({ title: 'How long does it take?', reply: 'Two months.' });
  });
});

describe('saving', () => {
  test('sends the values with the version that was read, and continues from what was stored', async () => {
    const onSaved = jest.fn();
    respond.mockReturnValueOnce(Response.json(stored(4, { reply: 'Two months.' })));
    open({ record, onSaved });
    type('Answer', 'Two months.');
    await press('Save');
    expect(calls).toEqual([
      expect.objectContaining({
        path: `/question/${record._id}`,
        method: 'PUT',
        headers: expect.objectContaining({ 'if-match': '"3"' }),
        body: { title: 'How long?', reply: 'Two months.' },
      }),
    ]);
    expect(onSaved).toHaveBeenCalledTimes(1);
    respond.mockReturnValueOnce(Response.json(stored(5)));
    type('Answer', 'A month.');
    await press('Save');
    expect(calls[1]?.headers['if-match']).toBe('"4"');
  });

  test('clears a form that adds records, ready for the next one', async () => {
    respond.mockReturnValue(Response.json(stored(1)));
    open();
    type('Question', 'How long?');
    type('Answer', 'A month.');
    await press('Save');
    expect(values()).toEqual(['', '']);
  });

  test('reports missing values at their fields, the first of which gets the focus, and sends nothing', async () => {
    open({ record });
    type('Question', '');
    type('Answer', '');
    await press('Save');
    expect(calls).toEqual([]);
    expect(document.activeElement).toBe(input('Question'));
    expect(input('Answer').getAttribute('aria-invalid')).toBe('true');
  });

  test('shows an error from the server at its field, which gets the focus, and keeps all values', async () => {
    respond.mockReturnValue(
      refusal(400, {
        detail: 'Please fix the highlighted fields.',
        errors: [{ field: 'reply', message: 'is too long' }],
      }),
    );
    open({ record });
    type('Answer', 'Two months.');
    await press('Save');
    expect(document.getElementById('reply-error')?.textContent).toBe('Answer is too long');
    expect(document.activeElement).toBe(input('Answer'));
    expect(values()).toEqual(['How long?', 'Two months.']);
    expect(screen.getByRole('alert').textContent).toBe('Please check: Answer');
  });

  test('adds one record on a double click, and sends the same idempotency key when tried again after a failure', async () => {
    const answer = answerLater();
    open();
    type('Question', 'How long?');
    type('Answer', 'A month.');
    await press('Save');
    await act(async () => void fireEvent.submit(input('Question').form!));
    expect(calls).toHaveLength(1);
    await act(async () => answer(refusal(503, { detail: 'Not now.' })));
    await waitFor(() => expect(screen.queryByText('Not now.')).not.toBeNull());
    respond.mockReturnValueOnce(Response.json(record));
    await press('Save');
    const [firstKey, repeatedKey] = calls.map(({ headers }) => headers['idempotency-key']);
    expect(firstKey).toMatch(/^[\da-f]{32}$/);
    expect(repeatedKey).toBe(firstKey);
  });
});

test('an answer that arrives after the form was left does not lead anywhere', async () => {
  const onSaved = jest.fn();
  const answer = answerLater();
  open({ record, onSaved });
  type('Answer', 'Two months.');
  await press('Save');
  cleanup();
  await act(async () => answer(Response.json(stored(4, { reply: 'Two months.' }))));
  expect(onSaved).not.toHaveBeenCalled();
});

test('a repeated save whose first answer was lost is no conflict with somebody else', async () => {
  const current = stored(4, { reply: 'Two months.' });
  respond.mockReturnValueOnce(refusal(412, { detail: 'There is a newer version.', current }));
  open({ record });
  type('Answer', 'Two months.');
  await press('Save');
  expect(screen.queryByText('Save choices')).toBeNull();
  expect(screen.queryByText('Not saved yet')).toBeNull();
  respond.mockReturnValueOnce(Response.json(stored(5)));
  type('Answer', 'A month.');
  await press('Save');
  expect(calls[1]?.headers['if-match']).toBe('"4"');
});

test('a save is not repeated while the site cannot renew the session', async () => {
  document.cookie = 'signed_in=1';
  changeSession({ status: 'signed-in', account });
  const saves = () => calls.filter(({ method }) => method === 'PUT');
  respond.mockImplementation(({ method }) => {
    if (method !== 'PUT' || saves().length > 3) return refusal(503, { detail: 'Not now.' });
    return refusal(401, { code: 'UNAUTHENTICATED', detail: 'Sign in.' });
  });
  open({ record });
  type('Answer', 'Two months.');
  await press('Save');
  await screen.findByText('Sign in.');
  expect(saves()).toHaveLength(1);
  // What is typed until the person signs in again is saved, too.
  type('Answer', 'Three months.');
  await act(async () => changeSession({ status: 'signed-out' }));
  await act(async () => changeSession({ status: 'signed-in', account }));
  await waitFor(() => expect(saves()).toHaveLength(2));
  expect(saves()[1]?.body).toMatchObject({ reply: 'Three months.' });
});

describe('what is typed while the record is being saved', () => {
  async function typeWhileSaving(response: Response): Promise<void> {
    const answer = answerLater();
    type('Question', 'How long does it take?');
    type('Answer', 'Two months.');
    await press('Save');
    type('Answer', 'Three months.');
    await act(async () => answer(response));
  }

  test('stays when the answer arrives, and is unsaved and kept as a draft', async () => {
    open({ record });
    // The site stores the title in another form than it was sent in.
    await typeWhileSaving(Response.json(stored(4, { title: 'How long?', reply: 'Two months.' })));
    expect(values()).toEqual(['How long?', 'Three months.']);
    screen.getByText('Not saved yet');
    open({ record: stored(4, { reply: 'Two months.' }) });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long?', 'Three months.']);
  });

  test('is a draft of the record that was added, while the form is ready for the next one', async () => {
    const added = stored(1, { title: 'How long does it take?', reply: 'Two months.' });
    open();
    await typeWhileSaving(Response.json(added));
    expect(values()).toEqual(['', '']);
    open();
    expect(screen.queryByText('Restore draft')).toBeNull();
    open({ record: added });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long does it take?', 'Three months.']);
  });

  test('is a draft of the record, even if the form was left before the answer arrived', async () => {
    const saved = stored(4, { title: 'How long does it take?', reply: 'Two months.' });
    open({ record });
    const answer = answerLater();
    type('Question', 'How long does it take?');
    type('Answer', 'Two months.');
    await press('Save');
    type('Answer', 'Three months.');
    cleanup();
    await act(async () => answer(Response.json(saved)));
    open({ record: saved });
    fireEvent.click(screen.getByText('Restore draft'));
    expect(values()).toEqual(['How long does it take?', 'Three months.']);
  });

  test('is part of the choice if somebody else has saved the record', async () => {
    const theirs = stored(4, { reply: 'A week.' });
    open({ record });
    await typeWhileSaving(refusal(412, { detail: 'There is a newer version.', current: theirs }));
    const fields = screen.getAllByRole('group').map((group) => group.textContent);
    expect(fields).toEqual([
      'QuestionYoursHow long does it take?TheirsHow long?',
      'AnswerYoursThree months.TheirsA week.',
    ]);
    await press('Keep editing');
    expect(values()).toEqual(['How long does it take?', 'Three months.']);
  });
});

describe('a record that somebody else has saved meanwhile', () => {
  const theirs = stored(4, { title: 'How long does it take?' });

  beforeEach(async () => {
    respond.mockReturnValueOnce(refusal(412, { detail: 'There is a newer version.', current: theirs }));
    open({ record });
    type('Answer', 'Two months.');
    await press('Save');
  });

  test('is not overwritten: both versions are shown for each field that differs', () => {
    const fields = screen.getAllByRole('group').map((group) => group.textContent);
    expect(fields).toEqual([
      'QuestionYoursHow long?TheirsHow long does it take?',
      'AnswerYoursTwo months.TheirsA month.',
    ]);
    // Preselected, because they changed only the title, and I changed only the answer.
    const chosen = screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked);
    expect(chosen).toEqual([false, true, true, false]);
  });

  test('is saved with the choices, against the newer version', async () => {
    respond.mockReturnValueOnce(
      Response.json(stored(5, { title: 'How long does it take?', reply: 'Two months.' })),
    );
    await press('Save choices');
    expect(calls[1]).toMatchObject({
      headers: { 'if-match': '"4"' },
      body: { title: 'How long does it take?', reply: 'Two months.' },
    });
    expect(screen.queryByText('Save choices')).toBeNull();
    expect(values()).toEqual(['How long does it take?', 'Two months.']);
  });

  test('can be edited further: the form then contains the chosen values', async () => {
    await press('Keep editing');
    expect(values()).toEqual(['How long does it take?', 'Two months.']);
    expect(calls).toHaveLength(1);
  });

  test('leaves the keyboard in the content when the choice disappears', async () => {
    screen.getByText('Keep editing').focus();
    await press('Keep editing');
    expect(document.activeElement?.id).toBe('main');
  });
});

test.each([
  ['a field that their first save changed', 'A week.'],
  ['a field that their first save did not change', 'A month.'],
])(
  'if somebody else saves again during a conflict, their newest text is preselected for %s',
  async (_, reply) => {
    const title = 'How long does it take?';
    const conflictWith = (current: StoredRecord) =>
      respond.mockReturnValueOnce(refusal(412, { detail: 'There is a newer version.', current }));
    open({ record });
    type('Question', 'How many weeks?');
    conflictWith(stored(4, { title, reply }));
    await press('Save');
    conflictWith(stored(5, { title, reply: 'Two weeks.' }));
    await press('Save choices');
    const fields = screen.getAllByRole('group').map((group) => group.textContent);
    expect(fields).toEqual([
      `QuestionYoursHow many weeks?Theirs${title}`,
      `AnswerYours${reply}TheirsTwo weeks.`,
    ]);
    const chosen = screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked);
    expect(chosen).toEqual([true, false, false, true]);
  },
);
