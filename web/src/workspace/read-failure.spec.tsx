/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { OrderInvoices } from './invoices/OrderInvoices.js';
import { openScreen } from './open-screen.js';
import { useQuery } from './query.js';
import { StaffNotes } from './StaffNotes.js';

function Notes() {
  const notes = useQuery('GET /order/:id/notes', { params: { id: '1' } });
  return <StaffNotes notes={notes} subject="1" about="this order" add={() => new Promise(() => {})} />;
}

test.each<[string, () => ReactNode]>([
  ['the invoices of an order', () => <OrderInvoices orderId="1" />],
  ['staff notes', Notes],
])('the failure to read %s stays until they have been read again', async (_, Screen) => {
  let fails = true;
  let arrive!: (answer: Response) => void;
  openScreen(Screen, (call) => {
    if (call === 'GET /billing-details') return Response.json({ offered: true });
    if (fails) return Response.json({ detail: 'Not now.' }, { status: 503 });
    return new Promise((resolve) => (arrive = resolve));
  });
  const button = await screen.findByRole('button', { name: 'Try again' });
  button.focus();
  fails = false;
  await act(async () => void fireEvent.click(button));
  screen.getByText('Not now.');
  expect(screen.getByRole('button', { name: 'One moment' })).toBe(document.activeElement);
  await act(async () => arrive(Response.json([])));
  expect(screen.queryByText('Not now.')).toBeNull();
});
