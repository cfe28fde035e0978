import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AcceptedEvent, type Movement, providerOutcomeOf } from '../payment/provider-state.js';
import { type BilledFacts, billedCents, type BillingStep, billingSteps } from './order-billing.js';
import { type OrderChange, type OrderFacts, transition } from './order-transition.js';

const cost = 29_000;

const unpaid: OrderFacts = {
  ...{ providerState: 'unpaid', payments: [], refundedCents: 0, disputedCents: 0, paidTwice: false },
  ...{ override: null, cancelled: false, cancelledBy: null, orderStatus: 'Pending' },
  ...{ paymentStatus: 'UnPaid', paymentState: 'unpaid', flags: [] },
};

/** `parentTxnId`: the payment that a refund or reversal belongs to; null for the payment itself. */
function event(movement: Movement, amountCents = cost, parentTxnId: string | null = null): AcceptedEvent {
  const txnId = parentTxnId === null ? 'PAYMENT' : `${movement} ${amountCents} of ${parentTxnId}`;
  return { txnId, parentTxnId, movement, amountCents, feeCents: null, happenedAt: new Date(0) };
}
const secondPayment = { ...event('received'), txnId: 'SECOND' };
const ofPayment = (movement: Movement, amountCents = cost) => event(movement, amountCents, 'PAYMENT');

/** An event of the provider, or something that a person does. */
type Happening = AcceptedEvent | (OrderChange & { movement?: never });

const withCost = (facts: OrderFacts): BilledFacts => ({ ...facts, costCents: cost });

/** Whether a cause makes invoices (1) or credit notes (-1). An override can make either. */
const signs: Partial<Record<BillingStep['cause'], 1 | -1>> = {
  ...{ payment: 1, refund: -1, dispute: -1, dispute_closed: 1 },
};

/**
 * Lists the cause and the cents of each document. Fails if the documents add up to less than nothing or more than the price, or do not agree with the
 * order's status.
 */
function documentsOf(happenings: Happening[]): string[] {
  const events: AcceptedEvent[] = [];
  let facts = unpaid;
  let total = 0;
  return happenings.flatMap((happening) => {
    if (happening.movement) events.push(happening);
    const change = happening.movement ? { providerOutcome: providerOutcomeOf(events) } : happening;
    const after = transition(facts, change).facts;
    const steps = billingSteps(withCost(facts), withCost(after));
    for (const { cents, cause } of steps) {
      total += cents;
      expect([cause, cents, Math.min(Math.max(total, 0), cost)]).toEqual([cause, cents, total]);
      if (cause in signs) expect([cause, Math.sign(cents)]).toEqual([cause, signs[cause]]);
    }
    expect(total).toBe(billedCents(withCost(after)));
    // The documents add up to more than nothing exactly while the order is Paid.
    expect([after.paymentStatus, total > 0]).toEqual([after.paymentStatus, after.paymentStatus === 'Paid']);
    facts = after;
    return steps.map(({ cents, cause }) => `${cause} ${cents}`);
  });
}

const setPaid = { override: 'Paid' } as const;
const setUnpaid = { override: 'UnPaid' } as const;
const cancel = { cancelledBy: 'customer' } as const;

describe('the documents of an order of 290.00', () => {
  const cases: [string, Happening[], string[]][] = [
    ['an order without money', [], []],
    ['a payment', [event('received')], ['payment 29000']],
    ['the same payment, reported twice', [event('received'), event('received')], ['payment 29000']],
    ['an e-check that is pending', [event('pending')], []],
    ['an e-check that arrives', [event('pending'), event('received')], ['payment 29000']],
    ['an e-check that fails', [event('pending'), event('failed')], []],
    [
      'a partial refund',
      [event('received'), ofPayment('refunded', 9_000)],
      ['payment 29000', 'refund -9000'],
    ],
    [
      'a refund in two parts',
      [event('received'), ofPayment('refunded', 9_000), ofPayment('refunded', 20_000)],
      ['payment 29000', 'refund -9000', 'refund -20000'],
    ],
    ['a full refund', [event('received'), ofPayment('refunded')], ['payment 29000', 'refund -29000']],
    ['a reversal', [event('received'), ofPayment('reversed')], ['payment 29000', 'dispute -29000']],
    [
      'a reversal of a part',
      [event('received'), ofPayment('reversed', 10_000)],
      ['payment 29000', 'dispute -10000'],
    ],
    [
      'a reversal of a part, and a refund of the whole payment',
      [event('received'), ofPayment('reversed', 10_000), ofPayment('refunded')],
      ['payment 29000', 'dispute -10000', 'refund -19000'],
    ],
    [
      'a reversal that is cancelled',
      [event('received'), ofPayment('reversed'), ofPayment('reversal_cancelled')],
      ['payment 29000', 'dispute -29000', 'dispute_closed 29000'],
    ],
    [
      'a reversal after a partial refund',
      [event('received'), ofPayment('refunded', 9_000), ofPayment('reversed', 20_000)],
      ['payment 29000', 'refund -9000', 'dispute -20000'],
    ],
    ['a second payment', [event('received'), secondPayment], ['payment 29000']],
    [
      'a second payment, and the first refunded',
      [event('received'), secondPayment, ofPayment('refunded')],
      ['payment 29000'],
    ],
    [
      'a second payment, and both refunded',
      [event('received'), secondPayment, ofPayment('refunded'), event('refunded', cost, 'SECOND')],
      ['payment 29000', 'refund -29000'],
    ],
    [
      'a refund that is reported before its payment',
      [ofPayment('refunded', 9_000), event('received')],
      ['payment 29000', 'refund -9000'],
    ],
    [
      'a full refund that is reported before its payment',
      [ofPayment('refunded'), event('received')],
      ['payment 29000', 'refund -29000'],
    ],
    ['an override of Paid', [setPaid], ['override 29000']],
    ['overrides of Paid and then UnPaid', [setPaid, setUnpaid], ['override 29000', 'override -29000']],
    [
      'a payment that an admin does not accept',
      [event('received'), setUnpaid],
      ['payment 29000', 'override -29000'],
    ],
    ['money after an override of Paid', [setPaid, event('received')], ['override 29000']],
    [
      'money after an override of Paid, refunded in part',
      [setPaid, event('received'), ofPayment('refunded', 9_000)],
      ['override 29000', 'refund -9000'],
    ],
    // No money is left, so the override decides again, and the whole price stays billed.
    [
      'money after an override of Paid, refunded in full',
      [setPaid, event('received'), ofPayment('refunded')],
      ['override 29000'],
    ],
    [
      'money after overrides of Paid and then UnPaid',
      [setPaid, setUnpaid, event('received')],
      ['override 29000', 'override -29000'],
    ],
    [
      'money after overrides of Paid and then UnPaid, accepted in the end',
      [setPaid, setUnpaid, event('received'), setPaid],
      ['override 29000', 'override -29000', 'override 29000'],
    ],
    ['a cancelled order', [cancel], []],
    ['money after a cancellation', [cancel, event('received')], ['payment 29000']],
    [
      'money after overrides of Paid and then UnPaid, and a cancellation',
      [setPaid, setUnpaid, cancel, event('received')],
      ['override 29000', 'override -29000'],
    ],
    [
      'an order that is paid and delivered',
      [event('received'), { orderStatus: 'Delivered' }],
      ['payment 29000'],
    ],
  ];
  test.each(cases)('%s', (_name, happenings, expected) => {
    expect(documentsOf(happenings)).toEqual(expected);
  });

  test('add up to the billed amount, whatever happens and in whatever sequence, and repeated events add no document', () => {
    const movements = fc.constantFrom<Movement>('refunded', 'reversed', 'reversal_cancelled');
    const amounts = fc.constantFrom(1, 9_000, 20_000, cost);
    const happening = fc.oneof(
      fc.constantFrom<Happening>(event('received'), event('pending'), event('failed'), secondPayment),
      fc.constantFrom<Happening>(setPaid, setUnpaid, cancel),
      fc
        .record({ movement: movements, cents: amounts })
        .map(({ movement, cents }) => ofPayment(movement, cents)),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 8 }), (all) => {
        const documents = documentsOf(all);
        // The provider sends its events again.
        const repeated = all.filter(({ movement }) => movement !== undefined);
        expect(documentsOf([...all, ...repeated])).toEqual(documents);
      }),
    );
  });
});
