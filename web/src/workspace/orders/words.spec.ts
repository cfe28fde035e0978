import { describe, expect, test } from '@jest/globals';
import type { Order, PaymentState, PaymentStatus } from '#libs/contracts';
import {
  moneyNote,
  type PaymentFields,
  paymentStatusForAdmin,
  paymentStatusForCustomer,
  paymentText,
  refundStatus,
} from './words.js';

const plain = {
  payments: [],
  refunded: '0.00',
  disputed: '0.00',
  paidTwice: false,
  cancelledBy: null,
  paymentHold: null,
};
const payments = (...states: Order['payments'][number]['state'][]) => ({
  payments: states.map((state) => ({
    ...{ txnId: 'A', state, amount: '290.00', refunded: '0.00' },
    paidAt: '2026-11-21T12:00:00.000Z',
  })),
});

type Row = [PaymentStatus, PaymentState, customer: string, admin: string, note: string | undefined];

/** Every combination that an order can have (apps/orders/order/order-payment.ts). */
const rows: Row[] = [
  ['UnPaid', 'unpaid', 'Not paid yet', 'UnPaid', undefined],
  ['UnPaid', 'pending', 'Payment pending', 'UnPaid', 'Payment pending'],
  ['UnPaid', 'failed', 'Payment failed', 'UnPaid', 'Payment failed'],
  ['Paid', 'paid', 'You Have Paid', 'Paid', undefined],
  ['Paid', 'partially_refunded', 'You Have Paid', 'Paid', 'Partially refunded'],
  ['Cancelled', 'cancelled', 'You Have Cancelled', 'Cancelled', undefined],
  ['Cancelled', 'refunded', 'Refunded', 'Cancelled', 'Refunded'],
  ['Cancelled', 'disputed', 'Disputed', 'Cancelled', 'Disputed'],
];

describe.each(rows)(
  'an order with the payment status %s and the payment state %s',
  (paymentStatus, paymentState, customer, admin, note) => {
    const order = { ...plain, paymentStatus, paymentState };
    test(`is ‘${customer}’ to its customer`, () => {
      expect(paymentStatusForCustomer(order).text).toBe(customer);
    });
    test(`is ‘${admin}’ to an admin, with ${note ? `the note ‘${note}’` : 'no note'}`, () => {
      expect(paymentStatusForAdmin(order)).toMatchObject({ text: admin, note });
    });
  },
);

const paid: PaymentFields = { ...plain, paymentStatus: 'Paid', paymentState: 'paid' };
const unpaid: PaymentFields = { ...plain, paymentStatus: 'UnPaid', paymentState: 'unpaid' };
const cancelled: PaymentFields = {
  ...plain,
  paymentStatus: 'Cancelled',
  paymentState: 'cancelled',
  cancelledBy: 'customer',
};

test.each<[string, PaymentFields, string, RegExp | undefined]>([
  ['paid', paid, 'You Have Paid', undefined],
  ['paid twice', { ...paid, paidTwice: true }, 'You Have Paid', /second payment.*refund the extra payment/],
  ['partly refunded', { ...paid, refunded: '5.00' }, 'You Have Paid', /^\$5(\.00)? was refunded\.$/],
  ['partly disputed', { ...paid, disputed: '1.00' }, 'You Have Paid', /^\$1(\.00)? is disputed\.$/],
  ['not paid', unpaid, 'Not paid yet', undefined],
  [
    'paid at PayPal, but set to UnPaid by an admin',
    { ...unpaid, ...payments('received') },
    'Not paid yet',
    /haven’t marked the order as paid\. Please don’t pay again/,
  ],
  [
    'waiting for the confirmation of a payment',
    { ...unpaid, paymentHold: 'confirming' },
    'Confirming payment',
    /don’t pay again/,
  ],
  [
    'waiting for the review of a payment',
    { ...unpaid, paymentHold: 'under_review' },
    'Payment under review',
    /don’t pay again/,
  ],
  ['cancelled by the customer', cancelled, 'You Have Cancelled', undefined],
  [
    'cancelled by an admin',
    { ...cancelled, cancelledBy: 'admin' },
    'Cancelled',
    /^We cancelled this order\.$/,
  ],
  [
    'cancelled with a pending payment',
    { ...cancelled, ...payments('pending') },
    'You Have Cancelled',
    /still being processed/,
  ],
  [
    'cancelled with a payment under review',
    { ...cancelled, paymentHold: 'under_review' },
    'You Have Cancelled',
    /processed/,
  ],
  [
    'cancelled although a payment was received',
    { ...cancelled, ...payments('received') },
    'You Have Cancelled',
    /received a payment/,
  ],
])('a customer sees the right payment status for an order that is %s', (_what, order, text, note) => {
  expect(paymentStatusForCustomer(order).text).toBe(text);
  expect(paymentStatusForCustomer(order).note).toEqual(note ? expect.stringMatching(note) : undefined);
});

test('for a cancelled order without payments, or with only a failed one, `moneyNote` says that no payment was received', () => {
  expect(moneyNote(cancelled)).toBe('We haven’t received a payment for this order.');
  expect(moneyNote({ ...cancelled, ...payments('failed') })).toBe(
    'We haven’t received a payment for this order.',
  );
});

test('an admin sees who cancelled an order, and that a payment is under review', () => {
  expect(paymentStatusForAdmin(cancelled).note).toBe('By the customer');
  expect(paymentStatusForAdmin({ ...cancelled, cancelledBy: 'admin' }).note).toBe('By an admin');
  expect(paymentStatusForAdmin({ ...unpaid, paymentHold: 'under_review' }).note).toBe('Payment under review');
});

test.each<[string, Parameters<typeof refundStatus>[0], string | undefined]>([
  ['not paid', plain, undefined],
  ['not paid, with pending and failed payments', { ...plain, ...payments('pending', 'failed') }, undefined],
  ['paid', { ...plain, ...payments('received') }, 'Not refunded'],
  ['partly refunded', { ...payments('partially_refunded'), refunded: '40.10' }, '$40.10 of $290.00 refunded'],
  ['refunded', { ...payments('failed', 'refunded'), refunded: '290.00' }, 'Refunded in full: $290.00'],
  [
    'paid twice and refunded once',
    { ...payments('received', 'refunded'), refunded: '290.00' },
    '$290.00 of $580.00 refunded',
  ],
])('an admin sees the right refund status for an order that is %s', (_what, order, text) => {
  expect(refundStatus(order)?.text).toBe(text);
});

test.each<[Order['payments'][number]['state'], refunded: string, string]>([
  ['pending', '0.00', '$290.00 pending since Nov 21, 2026'],
  ['failed', '0.00', '$290.00 failed on Nov 21, 2026'],
  ['received', '0.00', '$290.00 received on Nov 21, 2026'],
  ['partially_refunded', '49.00', '$290.00 received on Nov 21, 2026, $49.00 refunded'],
  ['refunded', '290.00', '$290.00 received on Nov 21, 2026, refunded in full'],
  ['disputed', '49.00', '$290.00 received on Nov 21, 2026, $49.00 refunded, disputed'],
])('a payment that is %s is described with its day', (state, refunded, text) => {
  const [payment] = payments(state).payments;
  expect(paymentText({ ...payment!, refunded })).toBe(text);
});

test('a billing colleague does not see ‘You Have Cancelled’', () => {
  expect(paymentStatusForCustomer(cancelled, false).text).toBe('Cancelled');
});
