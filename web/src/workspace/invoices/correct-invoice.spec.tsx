/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Invoice } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../dialog-checks.js';
import { unreachable } from '../../lib/api.js';
import { Toasts } from '../../components/Toasts.js';
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

test('after a lost answer, an attempt with other details learns that the first one has issued both documents', async () => {
  openScreen(
    () => (
      <>
        <CorrectInvoice invoice={invoice} />
        <Toasts />
      </>
    ),
    () => undefined,
  );
  const keys: (string | null)[] = [];
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes('correction')) return Response.json([]);
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('Failed to fetch');
    return Response.json({ code: 'IDEMPOTENCY_KEY_REUSED' }, { status: 422 });
  };
  fireEvent.click(screen.getByRole('button', { name: /^Change details/ }));
  const issue = () => act(async () => void fireEvent.click(screen.getByText('Issue both')));
  await issue();
  await screen.findByText(unreachable.sentence);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ada King' } });
  await issue();
  await screen.findByText(/^Your first attempt has already issued both documents/);
  expect(keys[1]).toBe(keys[0]);
  expect(screen.queryByText('Issue both')).toBeNull();
});

test('the country of an invoice can be changed, but not removed', () => {
  const buyer = { name: 'Ada', countryCode: 'DE' };
  openScreen(
    () => <CorrectInvoice invoice={{ ...invoice, buyer } as Invoice} />,
    () => undefined,
  );
  fireEvent.click(screen.getByRole('button', { name: /^Change details/ }));
  expect(screen.getByLabelText<HTMLSelectElement>('Billing country').value).toBe('DE');
  expect(screen.queryByText('No country')).toBeNull();
});
