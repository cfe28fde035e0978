/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { openScreen } from '../../../workspace/open-screen.js';
import type { ScreenPart } from '../content-screens.js';
import { RecordList } from './RecordList.js';
import { section } from './question-section.js';

const part = {
  section,
  nameField: 'title',
  editPath: '/question/:id',
  listHeading: 'Questions',
} as unknown as ScreenPart;
const records = Array.from({ length: 11 }, (_, index) =>
  Object.assign({ _id: `${index}`, version: 1, createdAt: '', updatedAt: '' }, {
    title: `Question ${index}`,
  } as unknown as Values),
);

/** Swaps the last two of the first page and the next one when a move is sent. */
function open(at: string): void {
  let moved: (shown: readonly StoredRecord[]) => void;
  openScreen(
    () => {
      const [shown, show] = useState<readonly StoredRecord[]>(records);
      moved = show;
      return (
        <main id="main" tabIndex={-1}>
          <RecordList part={part} records={shown} movable />
        </main>
      );
    },
    (call) => {
      if (call.startsWith('PUT')) moved([...records.slice(0, 9), records[10]!, records[9]!]);
      return undefined;
    },
    { path: '/', at },
  );
}

test('after ‘Show site order’, whose button disappears, the keyboard is at the chosen order', async () => {
  open('/?sort=name&direction=asc');
  const button = screen.getByText('Show site order');
  button.focus();
  await act(async () => void fireEvent.click(button));
  expect(document.activeElement).toBe(screen.getByLabelText('Sort'));
});

test('if a move takes a record to another page of the list, the keyboard stays in the content', async () => {
  open('/?size=10');
  const button = screen.getByText('Move Question 9 down').closest('button')!;
  button.focus();
  await act(async () => void fireEvent.click(button));
  expect(button.isConnected).toBe(false);
  expect(document.activeElement?.id).toBe('main');
});

test('a record that was deleted and restored does not ask again whether to delete it', async () => {
  let setRecords!: (shown: readonly StoredRecord[]) => void;
  openScreen(
    () => {
      const [shown, show] = useState<readonly StoredRecord[]>(records.slice(0, 2));
      setRecords = show;
      return <RecordList part={part} records={shown} />;
    },
    (call) => {
      if (call.startsWith('DELETE')) setRecords(records.slice(1, 2));
      return Response.json({});
    },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete Question 0' }));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete question' })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  act(() => setRecords(records.slice(0, 2)));
  screen.getByRole('link', { name: 'Question 0' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
