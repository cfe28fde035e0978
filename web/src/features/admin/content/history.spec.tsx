/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { openScreen } from '../../../workspace/open-screen.js';
import { History } from './History.js';
import { useRecordForm } from './record-form.js';
import { RecordEditor } from './RecordEditor.js';
import { section } from './question-section.js';

const stored = (version: number, title: string): StoredRecord =>
  Object.assign(
    { _id: '1', version, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' },
    { title } as unknown as Values,
  );
const record = stored(2, 'How long?');
const entry = (version: number, title: string) => ({
  ...{ version, change: 'updated', changedAt: '2026-01-02T00:00:00.000Z' },
  ...{ changedBy: 'ada', changedByEmail: null, body: { title } },
});

function Screen() {
  const form = useRecordForm({ section, record });
  return (
    <main id="main" tabIndex={-1}>
      <RecordEditor section={section} form={form} actionLabel="Save" />
      <History section={section} record={record} form={form} />
    </main>
  );
}

beforeEach(() => localStorage.clear());

test.each([
  [
    'the choice between both versions, if somebody else has saved',
    { status: 412, body: { current: stored(3, 'When?') } },
    () => screen.getByRole('alert', { name: 'Someone else edited this in the meantime' }),
  ],
  [
    'the field that was refused',
    { status: 400, body: { errors: [{ field: 'title', message: 'is not allowed' }] } },
    () => screen.getByLabelText('Question'),
  ],
  [
    'the button for another attempt, beside the reason',
    { status: 503, body: { detail: 'Try again later.' } },
    () => screen.getByRole('button', { name: 'Save' }),
  ],
])('if a version could not be restored, the keyboard is at %s', async (_, { status, body }, expected) => {
  openScreen(Screen, (call) =>
    call.startsWith('GET')
      ? Response.json([entry(2, 'How long?'), entry(1, 'How many weeks?')])
      : Response.json(body, { status }),
  );
  const details = screen.getByText('History').closest('details')!;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  const restore = await screen.findByRole('button', { name: /^Restore/ });
  restore.focus();
  fireEvent.click(restore);
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  // As in browsers, where nothing behind a modal dialog can get the focus, and the button gets it back when the dialog closes.
  dialog.addEventListener('close', () => restore.focus(), { capture: true });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Restore version' })));
  await waitFor(() => expect(document.activeElement).toBe(expected()));
});
