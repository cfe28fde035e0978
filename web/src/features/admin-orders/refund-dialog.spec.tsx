/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { Order } from '#libs/contracts';
import { expectOpenUntilRefused, refuseLater } from '../../workspace/dialog-checks.js';
import { answerCalls } from '../../workspace/open-screen.js';
import { QueryProvider } from '../../workspace/QueryProvider.js';
import { OrderPayments } from './OrderPayments.js';
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

test.each([
  [
    'PARTLY-DISPUTED',
    '190.00',
    'Up to $190.00. Disputed amounts and requested refunds are already subtracted.',
  ],
  ['UNDISPUTED', '290.00', 'Up to $290.00.'],
])(
  'the hint says how much of a payment can be refunded, and the reason if that is not the whole payment: %s',
  (txnId, amount, hint) => {
    const payment = { txnId, amount };
    render(<RefundDialog order={order} payment={payment} fullRefundCancelsOrder close={() => {}} />, {
      wrapper: QueryProvider,
    });
    expect(screen.getByText(/^Up to/).textContent).toBe(hint);
  },
);

test('after a refusal, the open dialog limits the amount to what can be refunded now', async () => {
  const payment = { ...received, txnId: 'A', state: 'received' };
  const paid = { ...order, payments: [payment], paymentStatus: 'Paid' } as Order;
  let amount = '290.00';
  answerCalls((call) => {
    if (call.startsWith('GET')) return Response.json({ refundable: [{ txnId: 'A', amount }], refunds: [] });
    amount = '190.00';
    return Response.json({ code: 'INVALID_TRANSITION', detail: 'Too much.' }, { status: 409 });
  });
  render(<OrderPayments order={paid} overridden={false} />, { wrapper: QueryProvider });
  fireEvent.click(await screen.findByText('Refund'));
  screen.getByText('Up to $290.00.');
  screen.getByText(/becomes Cancelled/);
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Too slow' } });
  fireEvent.click(screen.getByText('Refund $290.00'));
  await screen.findByText(/^Up to \$190.00\./);
  expect(screen.queryByText(/becomes Cancelled/)).toBeNull();
  const input = screen.getByLabelText<HTMLInputElement>('Amount in US dollars');
  expect(input.value).toBe('290.00');
  fireEvent.blur(input);
  screen.getByText('Enter at most $190.00');
  fireEvent.change(input, { target: { value: '190' } });
  expect(screen.queryByText(/^Enter at most/)).toBeNull();
  screen.getByText(/becomes Cancelled/);
});

type PaymentStates = Order['payments'][number]['state'][];

test.each<[cancels: boolean, others: PaymentStates, facts: Partial<Order>]>([
  [true, [], {}],
  [true, ['refunded', 'failed'], {}],
  [false, ['received'], {}],
  [false, ['partially_refunded', 'disputed'], {}],
  [true, ['disputed'], { disputed: '290.00' }],
  [false, ['pending', 'refunded', 'failed'], {}],
  // While a payment is disputed, even in part, a pending payment does not leave the order unpaid.
  [true, ['pending', 'disputed'], { disputed: '290.00' }],
  // Here, the payment to be refunded is itself disputed in part.
  [true, ['pending'], { disputed: '100.00' }],
  // The pending payment leaves the order unpaid, and so the earlier cancellation counts again.
  [true, ['pending'], { cancelledBy: 'customer' }],
  [false, [], { paymentStatus: 'UnPaid' }],
])(
  'the dialog says that a full refund cancels the order: %j, if the other payments are %j and the order has %j',
  async (cancels, others, facts) => {
    const payments = others.map((state) => ({ ...received, txnId: state, state }));
    answerCalls(() => Response.json({ refundable: [{ txnId: 'A', amount: '290.00' }], refunds: [] }));
    const paid = { ...order, disputed: '0.00', cancelledBy: null, paymentStatus: 'Paid' };
    const all = [{ ...received, txnId: 'A', state: 'received' }, ...payments];
    render(<OrderPayments order={{ ...paid, payments: all, ...facts } as Order} overridden={false} />, {
      wrapper: QueryProvider,
    });
    fireEvent.click(await screen.findByText('Refund'));
    expect(screen.queryAllByText(/becomes Cancelled/)).toHaveLength(cancels ? 1 : 0);
  },
);

test('while the refund is being sent, the dialog stays open, so that the admin sees a refusal', async () => {
  const later = refuseLater();
  answerCalls(later.api);
  const payment = { txnId: 'UNDISPUTED', amount: '290.00' };
  render(<RefundDialog order={order} payment={payment} fullRefundCancelsOrder close={() => {}} />, {
    wrapper: QueryProvider,
  });
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Too slow' } });
  await act(async () => void fireEvent.click(screen.getByText('Refund $290.00')));
  await expectOpenUntilRefused(later);
});
