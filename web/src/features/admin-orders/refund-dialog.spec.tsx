/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import type { Order } from '#libs/contracts';
import { Queries } from '../../workspace/Queries.js';
import { RefundDialog } from './RefundDialog.js';

const received = { amount: '290.00', refunded: '0.00', paidAt: '2026-11-20T10:00:00.000Z' };
const order = {
  _id: '0199b1c2-0000-7000-8000-000000000001',
  number: 1042,
  disputed: '390.00',
  payments: [
    { ...received, txnId: 'UNDISPUTED', state: 'received' },
    { ...received, txnId: 'PARTLY-DISPUTED', state: 'received' },
    { ...received, txnId: 'WHOLLY-DISPUTED', state: 'disputed' },
  ],
} as Order;

afterEach(cleanup);

test.each([
  [
    'PARTLY-DISPUTED',
    '190.00',
    'Up to $190.00. Disputed amounts and requested refunds are already subtracted.',
  ],
  ['UNDISPUTED', '290.00', 'Up to $290.00.'],
])(
  'the hint says how much of a payment can be refunded, and why not all of it: %s',
  (txnId, amount, hint) => {
    const payment = { txnId, amount };
    render(<RefundDialog order={order} payment={payment} fullRefundCancelsOrder close={() => {}} />, {
      wrapper: Queries,
    });
    expect(screen.getByText(/^Up to/).textContent).toBe(hint);
  },
);
