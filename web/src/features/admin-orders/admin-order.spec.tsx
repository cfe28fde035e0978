/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { TimelineEntry } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { AdminOrder } from './AdminOrder.js';

const at = '2026-11-20T10:00:00.000Z';
const order = {
  ...{ _id: '1', number: 1042, version: 1, createdAt: at, updatedAt: at, orderDate: '11/20/2026', flags: [] },
  ...{ customerName: 'Ada Lovelace', customerEmail: 'ada@example.com', accountId: 'ada' },
  ...{ packageName: 'Basic', packagePrice: '290.00', addedTax: '0.00', refunded: '0.00', disputed: '0.00' },
  ...{
    paymentStatus: 'Paid',
    paymentState: 'paid',
    orderStatus: 'Pending',
    paymentHold: null,
    renewal: null,
  },
  payments: [{ txnId: 'A', state: 'received', amount: '290.00', refunded: '0.00', paidAt: at }],
};
const entries = (...kinds: TimelineEntry['kind'][]) =>
  Response.json(kinds.map((kind, index) => ({ _id: String(index), at, kind, text: '', by: null })));

const certain = 'The order’s payment status becomes Cancelled.';
const uncertain = 'The order’s payment status becomes Cancelled, unless an admin has set it.';

test.each<[string, () => Response | Promise<Response>, string | undefined]>([
  ['shows no status set by an admin', () => entries('placed', 'payment'), certain],
  ['shows a status set by an admin', () => entries('placed', 'payment_status_set'), undefined],
  [
    'shows a status set by an admin among its newest entries',
    () => entries('payment_status_set', 'payment'),
    undefined,
  ],
  ['lacks older entries', () => entries('payment', 'notice_received'), uncertain],
  ['is loading', () => new Promise(() => {}), uncertain],
  ['could not be read', () => Response.json({ detail: 'Not now.' }, { status: 503 }), uncertain],
])(
  'the dialog for a full refund says what will happen to the payment status, as far as known from a timeline that %s',
  async (_, timeline, warning) => {
    openScreen(
      () => <AdminOrder renderProjects={() => null} />,
      (call) => {
        if (call === 'GET /order/1') return Response.json(order);
        if (call === 'GET /order/1/timeline') return timeline();
        if (call !== 'GET /order/1/refunds') return undefined;
        return Response.json({ refundable: [{ txnId: 'A', amount: '290.00' }], refunds: [] });
      },
      { path: '/:id', at: '/1' },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Refund' }));
    const effect = screen.getByText(/This can’t be undone/).textContent;
    expect(/The order’s .*?\./.exec(effect)?.[0]).toBe(warning);
  },
);
