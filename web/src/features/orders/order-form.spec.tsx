/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { TestQueries } from '../../workspace/TestQueries.js';
import { OrderForm } from './OrderForm.js';

const ordered = jest.fn<(body: Record<string, unknown>) => void>();
const realFetch = globalThis.fetch;
const account: Account = {
  ...{ id: 'ada', email: 'ada@example.com', emailVerified: true, role: 'Customer', name: null },
};
const plan = { _id: '1', packageName: 'Basic', packagePrice: '290.00' };
const details = {
  customerName: 'Ada Lovelace',
  customerAddress: '12 St James’s Square',
  customerCountry: 'UK',
};

beforeEach(() => {
  ordered.mockReset();
  globalThis.fetch = (async (_path: string, { body }: RequestInit = {}) => {
    ordered(JSON.parse(String(body)) as Record<string, unknown>);
    return Response.json({ _id: '2' }, { status: 201 });
  }) as typeof fetch;
});
afterEach(() => {
  cleanup();
  globalThis.fetch = realFetch;
});

function open(canRenew: boolean) {
  render(
    <TestQueries>
      <MemoryRouter>
        <Routes>
          <Route
            path="/"
            element={<OrderForm {...{ account, plan, details, canRenew }} terms={undefined} />}
          />
          <Route path="/pending-order" element={<h1>Your Pending Orders</h1>} />
        </Routes>
      </MemoryRouter>
    </TestQueries>,
  );
}

/** Places the order. Returns what was sent about renewal. */
async function place(): Promise<unknown> {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Place Order Now' })));
  await waitFor(() => expect(ordered).toHaveBeenCalledTimes(1));
  const [body] = ordered.mock.lastCall!;
  return body.renews;
}

test('without an offer of renewal there is no choice', async () => {
  open(false);
  expect(screen.queryByRole('radio')).toBeNull();
  expect(await place()).toBeUndefined();
});

test('one month is the default', async () => {
  open(true);
  const once = screen.getByRole<HTMLInputElement>('radio', { name: 'Pay for one month' });
  expect(once.checked).toBe(true);
  expect(await place()).toBeUndefined();
});

test('every month until cancelled is a choice', async () => {
  open(true);
  screen.getByText(/You pay \$290.00 today, and then every month on the same day./);
  fireEvent.click(screen.getByRole('radio', { name: 'Pay every month until you cancel' }));
  expect(await place()).toBe(true);
});
