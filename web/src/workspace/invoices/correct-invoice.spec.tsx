/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Invoice } from '#libs/contracts';
import { openScreen } from '../open-screen.js';
import { CorrectInvoice } from './CorrectInvoice.js';

const invoice = { kind: 'invoice', number: 'INV-1', open: '290.00', buyer: { name: 'Ada' } } as Invoice;

test('while a correction is being issued, the dialog stays open, so that the admin sees a refusal', async () => {
  let answer!: (response: Response) => void;
  openScreen(
    () => <CorrectInvoice invoice={invoice} />,
    () => new Promise((resolve) => (answer = resolve)),
  );
  fireEvent.click(screen.getByRole('button', { name: /^Change details/ }));
  await act(async () => void fireEvent.click(screen.getByText('Issue both')));
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  fireEvent.click(screen.getByText('Cancel'));
  expect(dialog.open).toBe(true);
  await act(async () => answer(Response.json({ detail: 'Not issued.' }, { status: 503 })));
  screen.getByText('Not issued.');
});
