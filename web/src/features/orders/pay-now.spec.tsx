/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './pay-now.route.js';

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
