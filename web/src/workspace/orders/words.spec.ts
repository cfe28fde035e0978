import { describe, expect, test } from '@jest/globals';
import type { PaymentState, PaymentStatus } from '#libs/contracts';
import { adminsWord, customersWord } from './words.js';

type Row = [PaymentStatus, PaymentState, customer: string, admin: string, note: string | undefined];

/** Every pair that an order can have (apps/orders/order/order-payment.ts). */
const rows: Row[] = [
  ['UnPaid', 'unpaid', 'Not paid yet', 'UnPaid', undefined],
  ['UnPaid', 'pending', 'Payment pending', 'UnPaid', 'Payment pending'],
  ['UnPaid', 'failed', 'Payment failed', 'UnPaid', 'Payment failed'],
  ['Paid', 'paid', 'You Have Paid', 'Paid', undefined],
  ['Paid', 'partially_refunded', 'You Have Paid', 'Paid', 'Partly refunded'],
  ['Cancelled', 'cancelled', 'You Have Cancelled', 'Cancelled', undefined],
  ['Cancelled', 'refunded', 'Refunded', 'Cancelled', 'Refunded'],
  ['Cancelled', 'disputed', 'Disputed', 'Cancelled', 'Disputed'],
];

describe.each(rows)('an order that is %s and %s', (paymentStatus, paymentState, customer, admin, note) => {
  const order = { paymentStatus, paymentState };
  test(`is ‘${customer}’ to its customer`, () => {
    expect(customersWord(order).text).toBe(customer);
  });
  test(`is ‘${admin}’ to an admin`, () => {
    expect(adminsWord(order)).toMatchObject({ text: admin, note });
  });
});
