import { describe, expect, test } from '@jest/globals';
import { isPayable, type Override, paymentStatusAndState, type ProviderState } from './order-payment.js';

const providerStates: ProviderState[] = [
  'unpaid',
  'pending',
  'failed',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
];
const overrides = [null, 'UnPaid', 'Paid'] as const;
const payNow = 'Pay Now';

describe('the payment of an order', () => {
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

    // Does not occur: Paid orders cannot be cancelled, and setting Paid undoes a cancellation.
    ['unpaid', 'Paid', 'cancelled', 'Paid paid'],

    ['unpaid', 'UnPaid', '', 'UnPaid unpaid Pay Now'],
    ['pending', 'UnPaid', '', 'UnPaid pending'],
    ['failed', 'UnPaid', '', 'UnPaid failed Pay Now'],
    ['paid', 'UnPaid', '', 'UnPaid unpaid'],
    ['partially_refunded', 'UnPaid', '', 'UnPaid unpaid'],
    ['refunded', 'UnPaid', '', 'UnPaid unpaid'],
    ['disputed', 'UnPaid', '', 'UnPaid unpaid'],

    ['unpaid', 'UnPaid', 'cancelled', 'Cancelled cancelled'],
    ['pending', 'UnPaid', 'cancelled', 'Cancelled cancelled'],
    ['failed', 'UnPaid', 'cancelled', 'Cancelled cancelled'],
    ['paid', 'UnPaid', 'cancelled', 'Cancelled cancelled'],
    ['partially_refunded', 'UnPaid', 'cancelled', 'Cancelled cancelled'],
    ['refunded', 'UnPaid', 'cancelled', 'Cancelled refunded'],
    ['disputed', 'UnPaid', 'cancelled', 'Cancelled disputed'],
  ])('provider %s, override %s, cancellation “%s”: %s', (providerState, override, cancelled, expected) => {
    const payment = paymentStatusAndState({ providerState, override, cancelled: cancelled !== '' });
    const payable = isPayable({ ...payment, providerState, subscriptionId: null, hold: null });
    const words = [payment.paymentStatus, payment.paymentState, ...(payable ? [payNow] : [])];
    expect(words.join(' ')).toBe(expected);
  });

  test('cannot be made by the buyer once the order’s monthly plan has begun, because the provider charges for it', () => {
    const unpaid = { paymentStatus: 'UnPaid', providerState: 'unpaid', hold: null } as const;
    expect(isPayable({ ...unpaid, subscriptionId: null })).toBe(true);
    expect(isPayable({ ...unpaid, subscriptionId: 'a plan' })).toBe(false);
  });

  test('under an override, money does not change the status, and a cancellation changes only UnPaid', () => {
    for (const providerState of providerStates) {
      for (const cancelled of [false, true]) {
        const statusUnder = (override: Override) =>
          paymentStatusAndState({ providerState, override, cancelled }).paymentStatus;
        expect(statusUnder('Paid')).toBe('Paid');
        expect(statusUnder('UnPaid')).toBe(cancelled ? 'Cancelled' : 'UnPaid');
      }
    }
  });

  test('can be made only if the order is UnPaid, neither cancelled nor on hold, and unpaid or failed at the provider', () => {
    for (const providerState of providerStates) {
      for (const override of overrides) {
        for (const cancelled of [false, true]) {
          for (const hold of [null, 'confirming', 'under_review'] as const) {
            const payment = paymentStatusAndState({ providerState, override, cancelled });
            if (!isPayable({ ...payment, providerState, subscriptionId: null, hold })) continue;
            expect([providerState, payment.paymentStatus, cancelled, hold]).toEqual([
              expect.stringMatching(/^(unpaid|failed)$/),
              ...['UnPaid', false, null],
            ]);
          }
        }
      }
    }
  });
});
