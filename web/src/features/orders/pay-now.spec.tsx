/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './pay-now.route.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const id = '0199c0de-0000-7000-8000-000000000001';
const order = {
  ...{ _id: id, number: 1042, accountId: 'ada', customerName: 'Ada Lovelace', orderDate: '11/21/2026' },
  ...{ packageName: 'Basic', packagePrice: '290.00', addedTax: '0.00', addedTaxRate: '0' },
  ...{ paymentStatus: 'UnPaid', orderStatus: 'Pending', paymentState: 'unpaid', payments: [], flags: [] },
  ...{ refunded: '0.00', disputed: '0.00', payable: true, paymentHold: null, version: 1 },
  renewal: { cycle: 1, subscriptionId: null },
};

function open(available: boolean): void {
  const answers: Record<string, object> = {
    [`GET /order/${id}`]: order,
    [`GET /order/${id}/timeline`]: [],
    'GET /plan-subscriptions/offer': { available },
    [`POST /order/${id}/payment`]: {
      action: 'https://paypal.test',
      fields: [{ name: 'cmd', value: '_xclick' }],
    },
  };
  openScreen(Component, (call) => answers[call] && Response.json(answers[call]), {
    path: '/pay-now/:id',
    at: `/pay-now/${id}`,
  });
}

test('the customer is told before the payment that a monthly plan renews', async () => {
  open(true);
  await screen.findByText(/and then every month/);
  screen.getByText('Every month until you cancel');
});

test('if monthly plans are not available, the customer is told before the payment that it is for one month only', async () => {
  open(false);
  await screen.findByText('Monthly plans aren’t available at the moment. You pay for one month only.');
  screen.getByText(/pay \$290\.00 for one month there/);
  expect(screen.queryByText(/every month/i)).toBeNull();
});

test('if the person stops the browser while the checkout is loading, the button can soon be used again', async () => {
  const submit = jest.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
  open(true);
  const button = await screen.findByRole('button', { name: 'Pay Now' });
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
  const click = () => act(async () => void fireEvent.click(button));
  await click();
  await click();
  expect([submit.mock.calls.length, button.textContent]).toEqual([1, 'Opening PayPal']);
  await act(() => jest.advanceTimersByTimeAsync(10_000));
  expect(button.textContent).toBe('Pay Now');
  await click();
  expect(submit).toHaveBeenCalledTimes(2);
});
