import { describe, expect, test } from '@jest/globals';
import { paymentOf, type ProviderOutcome, type ProviderState } from './order-payment.js';
import { type OrderChange, type OrderFacts, transition } from './order-transition.js';

type Given = Partial<
  Pick<OrderFacts, 'providerState' | 'override' | 'cancelled' | 'orderStatus' | 'flags' | 'paidTwice'>
>;

function facts(given: Given = {}): OrderFacts {
  const chosen = {
    providerState: 'unpaid' as ProviderState,
    payments: [],
    refundedCents: 0,
    paidTwice: false,
    override: null,
    cancelled: false,
    orderStatus: 'Pending' as const,
    flags: [],
    ...given,
  };
  const { paymentStatus, paymentState } = paymentOf({ ...chosen, provider: chosen.providerState });
  return { ...chosen, paymentStatus, paymentState };
}

const provider = (state: ProviderState, more: Partial<ProviderOutcome> = {}): OrderChange => ({
  provider: { state, payments: [], refundedCents: 0, paidTwice: false, ...more },
});

const cancelled: Given = { cancelled: true };

describe('a change of an order', () => {
  test.each<[string, Given, OrderChange, string, string[], string[]]>([
    // what, before, change: status and state, what became true, flags raised
    ['money', {}, provider('paid'), 'Paid paid', ['paid'], []],
    ['money after pending', { providerState: 'pending' }, provider('paid'), 'Paid paid', ['paid'], []],
    ['an e-check under way', {}, provider('pending'), 'UnPaid pending', [], []],
    ['a refused payment', {}, provider('failed'), 'UnPaid failed', [], []],
    ['the same once more', { providerState: 'paid' }, provider('paid'), 'Paid paid', [], []],
    ['money after cancelling', cancelled, provider('paid'), 'Paid paid', ['paid'], ['paid_after_cancel']],
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
      'the second one refunded',
      { providerState: 'paid', paidTwice: true, flags: ['paid_twice'] },
      provider('paid'),
      'Paid paid',
      [],
      [],
    ],
    [
      'a partial refund',
      { providerState: 'paid' },
      provider('partially_refunded', { refundedCents: 5 }),
      'Paid partially_refunded',
      [],
      [],
    ],
    [
      'a refund',
      { providerState: 'paid' },
      provider('refunded'),
      'Cancelled refunded',
      ['cancelled'],
      ['refunded'],
    ],
    [
      'a dispute',
      { providerState: 'paid' },
      provider('disputed'),
      'Cancelled disputed',
      ['cancelled'],
      ['disputed'],
    ],
    ['a dispute won', { providerState: 'disputed' }, provider('paid'), 'Paid paid', ['paid'], []],
    [
      'a dispute ending in a refund',
      { providerState: 'disputed', flags: ['disputed'] },
      provider('refunded'),
      'Cancelled refunded',
      [],
      ['refunded'],
    ],

    ['an admin says Paid', {}, { override: 'Paid' }, 'Paid paid', ['paid'], []],
    ['an admin says UnPaid', { providerState: 'paid' }, { override: 'UnPaid' }, 'UnPaid unpaid', [], []],
    ['an admin reopens what was cancelled', cancelled, { override: 'UnPaid' }, 'UnPaid unpaid', [], []],
    [
      'money against an override',
      { override: 'UnPaid' },
      provider('paid'),
      'UnPaid unpaid',
      [],
      ['override_disagrees'],
    ],
    ['money as the override said', { override: 'Paid' }, provider('paid'), 'Paid paid', [], []],
    ['a failure under an override', { override: 'Paid' }, provider('failed'), 'Paid paid', [], []],
    [
      'a refund against an override',
      { providerState: 'paid', override: 'Paid' },
      provider('refunded'),
      'Paid paid',
      [],
      ['override_disagrees', 'refunded'],
    ],

    ['cancelling', {}, { cancelled: true }, 'Cancelled cancelled', ['cancelled'], []],
    [
      'cancelling after an override',
      { override: 'UnPaid' },
      { cancelled: true },
      'Cancelled cancelled',
      ['cancelled'],
      [],
    ],
    ['cancelling again', cancelled, { cancelled: true }, 'Cancelled cancelled', [], []],
    ['delivery', {}, { orderStatus: 'Delivered' }, 'UnPaid unpaid', ['delivered'], []],
    [
      'delivery once more',
      { orderStatus: 'Delivered' },
      { orderStatus: 'Delivered' },
      'UnPaid unpaid',
      [],
      [],
    ],
    [
      'a delivery taken back',
      { orderStatus: 'Delivered' },
      { orderStatus: 'Pending' },
      'UnPaid unpaid',
      [],
      [],
    ],
    ['a flag', {}, { raise: ['notice_held'] }, 'UnPaid unpaid', [], ['notice_held']],
    ['a flag that is up', { flags: ['notice_held'] }, { raise: ['notice_held'] }, 'UnPaid unpaid', [], []],
  ])('%s', (_what, before, change, payment, became, raised) => {
    const result = transition(facts(before), change);
    const { paymentStatus, paymentState } = result.facts;
    expect({
      payment: `${paymentStatus} ${paymentState}`,
      became: result.became,
      raised: result.raised,
    }).toEqual({
      payment,
      became,
      raised,
    });
    expect(transition(result.facts, change)).toMatchObject({ modified: false, raised: [], became: [] });
  });

  test('clearing takes all flags, and those raised with it stay', () => {
    const flagged = facts({ flags: ['refunded', 'notice_held'] });
    expect(transition(flagged, { clearFlags: true })).toMatchObject({ facts: { flags: [] }, modified: true });
    const both = transition(flagged, { clearFlags: true, raise: ['notice_held'] });
    expect(both).toMatchObject({ facts: { flags: ['notice_held'] }, raised: [] });
  });

  test('leaves the facts it was given as they were', () => {
    const before = facts();
    const copy = structuredClone(before);
    transition(before, { ...provider('paid', { paidTwice: true }), raise: ['unverified'] });
    expect(before).toEqual(copy);
  });
});
