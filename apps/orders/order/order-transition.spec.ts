import { describe, expect, test } from '@jest/globals';
import type { OrderPayment } from '#libs/contracts';
import { paymentStatusAndState, type ProviderOutcome, type ProviderState } from './order-payment.js';
import { type OrderChange, type OrderFacts, transition } from './order-transition.js';

type Given = Partial<Omit<OrderFacts, 'paymentStatus' | 'paymentState'>>;

function facts(given: Given = {}): OrderFacts {
  const chosen = {
    providerState: 'unpaid' as ProviderState,
    payments: [],
    refundedCents: 0,
    disputedCents: 0,
    paidTwice: false,
    override: null,
    cancelled: false,
    cancelledBy: null,
    orderStatus: 'Pending' as const,
    flags: [],
    ...given,
  };
  const { paymentStatus, paymentState } = paymentStatusAndState(chosen);
  return { ...chosen, paymentStatus, paymentState };
}

const provider = (state: ProviderState, more: Partial<ProviderOutcome> = {}): OrderChange => ({
  providerOutcome: { state, payments: [], refundedCents: 0, disputedCents: 0, paidTwice: false, ...more },
});

const payment = (txnId: string, state: OrderPayment['state']): OrderPayment => {
  return { txnId, state, amount: '290.00', refunded: '0.00', paidAt: '2026-11-21T12:00:00.000Z' };
};

const cancelled: Given = { cancelled: true, cancelledBy: 'customer' };
const paid: Given = { providerState: 'paid', payments: [payment('A', 'received')] };
const disputed: Given = {
  providerState: 'disputed',
  disputedCents: 29_000,
  payments: [payment('A', 'disputed')],
};

describe('a change of an order', () => {
  test.each<
    [
      description: string,
      before: Given,
      change: OrderChange,
      statusAndState: string,
      consequences: string[],
      raisedFlags: string[],
    ]
  >([
    ['a received payment', {}, provider('paid'), 'Paid paid', ['paid payment'], []],
    [
      'a pending payment that is received',
      { providerState: 'pending' },
      provider('paid'),
      'Paid paid',
      ['paid payment'],
      [],
    ],
    ['an e-check under way', {}, provider('pending'), 'UnPaid pending', [], []],
    ['a refused payment', {}, provider('failed'), 'UnPaid failed', [], []],
    ['a payment that is reported again', { providerState: 'paid' }, provider('paid'), 'Paid paid', [], []],
    [
      'a payment after cancelling',
      cancelled,
      provider('paid'),
      'Paid paid',
      ['paid payment_after_cancel'],
      ['paid_after_cancel'],
    ],
    ['a failure after cancelling', cancelled, provider('failed'), 'Cancelled cancelled', [], []],
    [
      'a second payment',
      { providerState: 'paid' },
      provider('paid', { paidTwice: true }),
      'Paid paid',
      [],
      ['paid_twice'],
    ],
    [
      'a second payment that is refunded',
      { providerState: 'paid', paidTwice: true, flags: ['paid_twice'] },
      provider('paid', { refundedCents: 29_000 }),
      'Paid paid',
      ['refunded 29000'],
      [],
    ],
    [
      'a partial refund',
      { providerState: 'paid' },
      provider('partially_refunded', { refundedCents: 5 }),
      'Paid partially_refunded',
      ['refunded 5'],
      [],
    ],
    [
      'a second partial refund',
      { ...paid, providerState: 'partially_refunded', refundedCents: 5 },
      provider('partially_refunded', { refundedCents: 12 }),
      'Paid partially_refunded',
      ['refunded 7'],
      [],
    ],
    [
      'a refund',
      { providerState: 'paid' },
      provider('refunded', { refundedCents: 29_000 }),
      'Cancelled refunded',
      ['cancelled'],
      ['refunded'],
    ],
    [
      'a dispute',
      paid,
      provider('disputed', { disputedCents: 29_000, payments: [payment('A', 'disputed')] }),
      'Cancelled disputed',
      ['cancelled'],
      ['disputed'],
    ],
    [
      'a dispute about a part',
      paid,
      provider('paid', { disputedCents: 100, payments: [payment('A', 'received')] }),
      'Paid paid',
      [],
      ['disputed'],
    ],
    [
      'a dispute about one of two payments',
      { ...paid, paidTwice: true },
      provider('paid', {
        disputedCents: 29_000,
        payments: [payment('A', 'disputed'), payment('B', 'received')],
      }),
      'Paid paid',
      [],
      ['disputed'],
    ],
    [
      'a dispute won',
      disputed,
      provider('paid', { payments: [payment('A', 'received')] }),
      'Paid paid',
      ['paid dispute_closed'],
      [],
    ],
    [
      'another payment during a dispute',
      disputed,
      provider('paid', {
        disputedCents: 29_000,
        payments: [payment('A', 'disputed'), payment('B', 'received')],
      }),
      'Paid paid',
      ['paid payment'],
      [],
    ],
    [
      'a pending payment that fails',
      { providerState: 'pending' },
      provider('failed'),
      'UnPaid failed',
      ['paymentFailed'],
      [],
    ],
    [
      'a dispute ending in a refund',
      { ...disputed, flags: ['disputed'] },
      provider('refunded', { refundedCents: 29_000, payments: [payment('A', 'refunded')] }),
      'Cancelled refunded',
      ['refunded 29000'],
      ['refunded'],
    ],

    ['an admin sets Paid', {}, { override: 'Paid' }, 'Paid paid', ['paid admin'], []],
    ['an admin sets UnPaid', { providerState: 'paid' }, { override: 'UnPaid' }, 'UnPaid unpaid', [], []],
    ['an admin undoes a cancellation', cancelled, { override: 'UnPaid' }, 'UnPaid unpaid', [], []],
    [
      'a payment that contradicts an override',
      { override: 'UnPaid' },
      provider('paid'),
      'UnPaid unpaid',
      [],
      ['override_disagrees'],
    ],
    ['a payment that agrees with an override', { override: 'Paid' }, provider('paid'), 'Paid paid', [], []],
    ['a failure under an override', { override: 'Paid' }, provider('failed'), 'Paid paid', [], []],
    [
      'a refund against an override',
      { providerState: 'paid', override: 'Paid' },
      provider('refunded'),
      'Paid paid',
      [],
      ['override_disagrees', 'refunded'],
    ],

    [
      'a payment for an order that was cancelled under an override',
      { ...cancelled, override: 'UnPaid' },
      provider('paid'),
      'Cancelled cancelled',
      [],
      ['paid_after_cancel', 'override_disagrees'],
    ],

    ['cancelling', {}, { cancelledBy: 'customer' }, 'Cancelled cancelled', ['cancelled customer'], []],
    ['cancelling by an admin', {}, { cancelledBy: 'admin' }, 'Cancelled cancelled', ['cancelled admin'], []],
    [
      'cancelling under an override',
      { override: 'UnPaid' },
      { cancelledBy: 'customer' },
      'Cancelled cancelled',
      ['cancelled customer'],
      [],
    ],
    [
      'cancelling under an override, with a payment at the provider',
      { ...paid, override: 'UnPaid' },
      { cancelledBy: 'customer' },
      'Cancelled cancelled',
      ['cancelled customer'],
      ['override_disagrees'],
    ],
    ['cancelling again', cancelled, { cancelledBy: 'admin' }, 'Cancelled cancelled', [], []],
    ['an admin sets Delivered', {}, { orderStatus: 'Delivered' }, 'UnPaid unpaid', ['delivered'], []],
    [
      'an admin sets Delivered again',
      { orderStatus: 'Delivered' },
      { orderStatus: 'Delivered' },
      'UnPaid unpaid',
      [],
      [],
    ],
    [
      'an admin sets Pending again',
      { orderStatus: 'Delivered' },
      { orderStatus: 'Pending' },
      'UnPaid unpaid',
      ['reopened'],
      [],
    ],
    [
      'a status that follows the project',
      {},
      { orderStatus: 'Delivered', followsProject: true },
      'UnPaid unpaid',
      [],
      [],
    ],
    ['a flag', {}, { raise: ['notice_held'] }, 'UnPaid unpaid', [], ['notice_held']],
    [
      'a flag that is already raised',
      { flags: ['notice_held'] },
      { raise: ['notice_held'] },
      'UnPaid unpaid',
      [],
      [],
    ],
  ])(
    '%s: the change has the expected consequences, and none when it is repeated',
    (_what, before, change, statusAndState, consequences, raisedFlags) => {
      const result = transition(facts(before), change);
      const { paymentStatus, paymentState } = result.facts;
      expect({
        statusAndState: `${paymentStatus} ${paymentState}`,
        consequences: result.consequences.map((consequence) =>
          Object.values(consequence)
            .filter((value) => value !== null)
            .join(' '),
        ),
        raisedFlags: result.raisedFlags,
      }).toEqual({
        statusAndState,
        consequences,
        raisedFlags,
      });
      expect(transition(result.facts, change)).toMatchObject({
        modified: false,
        raisedFlags: [],
        consequences: [],
      });
    },
  );

  test('clearing removes all flags except those that are raised in the same change', () => {
    const flagged = facts({ flags: ['refunded', 'notice_held'] });
    expect(transition(flagged, { clearFlags: true })).toMatchObject({ facts: { flags: [] }, modified: true });
    const both = transition(flagged, { clearFlags: true, raise: ['notice_held'] });
    expect(both).toMatchObject({ facts: { flags: ['notice_held'] }, raisedFlags: [] });
  });

  test('does not modify the facts that `transition` is given', () => {
    const before = facts();
    const copy = structuredClone(before);
    transition(before, { ...provider('paid', { paidTwice: true }), raise: ['unverified'] });
    expect(before).toEqual(copy);
  });
});
