/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { TotalOrders } from './TotalOrders.js';

const order = {
  ...{ _id: '1', number: 1042, version: 1, orderDate: '11/20/2026', flags: [], renewal: null, payments: [] },
  ...{ customerName: '', customerEmail: '', packageName: 'Basic', packagePrice: '290.00', addedTax: '0.00' },
  ...{ paymentStatus: 'Paid', paymentState: 'paid', paymentHold: null, orderStatus: 'Pending' },
  ...{ refunded: '0.00', disputed: '0.00' },
};

test('the list of orders shows “Deleted account” in place of a deleted customer’s name', async () => {
  const answer = Response.json([order], { headers: { 'x-total-count': '1' } });
  openScreen(TotalOrders, (call) => (call === 'GET /orders' ? answer : undefined));
  const name = '#1042, Deleted account, 11/20/2026';
  const row = within((await screen.findByRole('link', { name: `Edit Status : ${name}` })).closest('tr')!);
  row.getByText('Deleted account');
  expect(row.getByRole('checkbox').getAttribute('aria-label')).toContain(name);
});
