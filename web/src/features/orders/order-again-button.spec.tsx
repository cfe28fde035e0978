/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { Account, Order } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { OrderAgainButton } from './OrderAgainButton.js';

afterEach(() => localStorage.clear());

const account = { id: 'ada', email: 'ada@example.com' } as Account;
const orderWith = (renewal: Order['renewal']) =>
  ({
    ...{ _id: '1', packageName: 'Basic', packagePrice: '290.00', renewal, billingDetails: null },
    ...{ customerName: 'Ada Lovelace', customerAddress: '12 St James’s Square', customerCountry: 'UK' },
  }) as unknown as Order;

async function orderAgain(order: Order): Promise<unknown> {
  const sent: unknown[] = [];
  openScreen(
    () => <OrderAgainButton order={order} account={account} />,
    (_call, body) => {
      sent.push(body);
      return Response.json({ _id: '2' }, { status: 201 });
    },
  );
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Order again' })));
  expect(sent).toHaveLength(1);
  return sent[0];
}

test('a monthly plan is ordered again as a monthly plan', async () => {
  expect(await orderAgain(orderWith({ cycle: 1, subscriptionId: null }))).toMatchObject({
    renews: true,
  });
});

test('one month is ordered again as one month', async () => {
  expect(await orderAgain(orderWith(null))).not.toHaveProperty('renews');
});

test('the focus is not lost when the button disappears because the package is no longer offered', async () => {
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <OrderAgainButton order={orderWith(null)} account={account} />
      </main>
    ),
    () => Response.json({ code: 'PRICE_CHANGED' }, { status: 409 }),
  );
  const button = screen.getByRole('button', { name: 'Order again' });
  button.focus();
  await act(async () => void fireEvent.click(button));
  screen.getByText(/is no longer available/);
  expect(document.activeElement?.id).toBe('main');
});
