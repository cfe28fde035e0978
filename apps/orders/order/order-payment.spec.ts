import { describe, expect, test } from '@jest/globals';
import { type Override, paymentOf, type ProviderState } from './order-payment.js';

const providers: ProviderState[] = [
  'unpaid',
  'pending',
  'failed',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
];
const payNow = 'Pay Now';

describe('what is told of a payment', () => {
  test.each<[ProviderState, Override | null, 'cancelled' | '', string]>([
    ['unpaid', null, '', 'UnPaid unpaid Pay Now'],
    ['pending', null, '', 'UnPaid pending'],
    ['failed', null, '', 'UnPaid failed Pay Now'],
    ['paid', null, '', 'Paid paid'],
    ['partially_refunded', null, '', 'Paid partially_refunded'],
    ['refunded', null, '', 'Cancelled refunded'],
    ['disputed', null, '', 'Cancelled disputed'],

    ['unpaid', null, 'cancelled', 'Cancelled cancelled'],
    ['pending', null, 'cancelled', 'Cancelled cancelled'],
    ['failed', null, 'cancelled', 'Cancelled cancelled'],
    ['paid', null, 'cancelled', 'Paid paid'],
    ['partially_refunded', null, 'cancelled', 'Paid partially_refunded'],
    ['refunded', null, 'cancelled', 'Cancelled refunded'],
    ['disputed', null, 'cancelled', 'Cancelled disputed'],

    ['unpaid', 'Paid', '', 'Paid paid'],
    ['pending', 'Paid', '', 'Paid paid'],
    ['failed', 'Paid', '', 'Paid paid'],
    ['paid', 'Paid', '', 'Paid paid'],
    ['partially_refunded', 'Paid', '', 'Paid partially_refunded'],
    ['refunded', 'Paid', '', 'Paid paid'],
    ['disputed', 'Paid', '', 'Paid paid'],
    ['unpaid', 'Paid', 'cancelled', 'Paid paid'],

    ['unpaid', 'UnPaid', '', 'UnPaid unpaid Pay Now'],
    ['pending', 'UnPaid', '', 'UnPaid pending'],
    ['failed', 'UnPaid', '', 'UnPaid failed Pay Now'],
    ['paid', 'UnPaid', '', 'UnPaid unpaid'],
    ['partially_refunded', 'UnPaid', '', 'UnPaid unpaid'],
    ['refunded', 'UnPaid', '', 'UnPaid unpaid'],
    ['disputed', 'UnPaid', '', 'UnPaid unpaid'],
    ['unpaid', 'UnPaid', 'cancelled', 'UnPaid unpaid'],
  ])('provider %s, override %s %s: %s', (provider, override, cancelled, expected) => {
    const told = paymentOf({ provider, override, cancelled: cancelled !== '' });
    const words = [told.paymentStatus, told.paymentState, ...(told.payable ? [payNow] : [])];
    expect(words.join(' ')).toBe(expected);
  });

  test('nobody is asked to pay what is paid, pending or given back', () => {
    for (const provider of providers) {
      for (const override of [null, 'UnPaid', 'Paid'] as const) {
        const { payable, paymentStatus } = paymentOf({ provider, override, cancelled: false });
        if (payable)
          expect([provider, paymentStatus]).toEqual([expect.stringMatching(/unpaid|failed/), 'UnPaid']);
      }
    }
  });
});
