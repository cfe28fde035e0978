/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { callPath } from '../lib/api.js';
import { ConfirmDialog } from './ConfirmDialog.js';
import { openScreen } from './open-screen.js';
import { useRead } from './query.js';

function Rows() {
  const rows = useRead('/rows').data as string[] | undefined;
  return (
    <main id="main" tabIndex={-1}>
      {rows?.map((row) => (
        <Row key={row} />
      ))}
    </main>
  );
}

function Row() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete
      </button>
      {open && (
        <ConfirmDialog
          title="Delete this row?"
          actionLabel="Delete row"
          close={() => setOpen(false)}
          confirm={async () => {
            await callPath('DELETE', '/rows/1', {});
            return undefined;
          }}
        >
          <p>It will be gone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

test('if the row with the button is gone after the confirmation, the content gets the focus', async () => {
  let rows = ['1'];
  openScreen(Rows, (call) => {
    if (call.startsWith('DELETE')) rows = [];
    return Response.json(rows);
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const confirm = screen.getByRole('button', { name: 'Delete row' });
  confirm.focus();
  await act(async () => void fireEvent.click(confirm));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement?.id).toBe('main');
});

test('if the caller moves the focus when the dialog closes, the focus stays there', async () => {
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <button type="button">Next row</button>
        <ConfirmDialog
          title="Delete this row?"
          actionLabel="Delete row"
          confirm={async () => {
            // As if the button that opened the dialog were gone.
            (document.activeElement as HTMLElement).blur();
            return undefined;
          }}
          close={() => {
            if (document.activeElement === document.body)
              screen.getByRole('button', { name: 'Next row' }).focus();
          }}
        >
          <p>It will be gone.</p>
        </ConfirmDialog>
      </main>
    ),
    () => undefined,
  );
  const confirm = screen.getByRole('button', { name: 'Delete row' });
  confirm.focus();
  await act(async () => void fireEvent.click(confirm));
  expect(document.activeElement?.textContent).toBe('Next row');
});

test('while the change is being sent, the dialog stays open, so that the person sees a refusal', async () => {
  let refuse: () => void = () => {};
  openScreen(
    () => {
      const [open, setOpen] = useState(true);
      return open ? (
        <ConfirmDialog
          title="Delete this row?"
          actionLabel="Delete row"
          close={() => setOpen(false)}
          confirm={() =>
            new Promise((resolve) => {
              refuse = () => resolve({ status: 409, sentence: 'This row is in use.', fields: [] });
            })
          }
        >
          <p>It will be gone.</p>
        </ConfirmDialog>
      ) : null;
    },
    () => undefined,
  );
  const dialog = screen.getByRole('dialog');
  const cancelButton = screen.getByRole('button', { name: 'Cancel' });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete row' })));
  // The browser closes the dialog on Escape unless its `cancel` event is prevented.
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  expect(dialog.getAttribute('closedby')).toBe('none');
  fireEvent.click(cancelButton);
  expect(dialog.isConnected).toBe(true);
  await act(async () => refuse());
  await screen.findByText('This row is in use.');
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(true);
  expect(dialog.getAttribute('closedby')).toBeNull();
  fireEvent.click(cancelButton);
  expect(screen.queryByRole('dialog')).toBeNull();
});
