/** @jest-environment ./web/dom-environment.mjs */
import { test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Invoice } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../dialog-checks.js';
import { openScreen } from '../open-screen.js';
import { CorrectInvoice } from './CorrectInvoice.js';

const invoice = { kind: 'invoice', number: 'INV-1', open: '290.00', buyer: { name: 'Ada' } } as Invoice;

test('while a correction is being issued, the dialog stays open, so that the admin sees a refusal', async () => {
  const later = refuseLater();
  openScreen(() => <CorrectInvoice invoice={invoice} />, later.api);
  fireEvent.click(screen.getByRole('button', { name: /^Change details/ }));
  await act(async () => void fireEvent.click(screen.getByText('Issue both')));
  await expectOpenUntilRefused(later);
});
