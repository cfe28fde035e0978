import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ProviderEvent, Reading, StartedAttempt } from '../payment-provider.js';
import { providerOutcomeOf } from '../provider-state.js';
import { readReport } from './order-reading.js';
import type { Capture, Dispute, PaypalReport, Refund } from './paypal-order.js';

const due = 29_000;
const receivedAt = new Date('2026-11-21T12:00:00Z');
const captureId = '3C679366HH908993F';

const attempt: StartedAttempt = {
  ...{
    kind: 'payment',
    id: 'the attempt',
    orderId: 'the order',
    itemName: 'Premium',
    checkoutReference: '5O190127TN364715T',
  },
  ...{ token: 'the token', invoice: '1042', receiver: 'the client id', receiverAccount: 'X5XAHHCG636FA' },
  ...{ amountCents: due, currency: 'USD', environment: 'live' },
};

const usd = (cents: number) => ({ currency_code: 'USD', value: (cents / 100).toFixed(2) });

const captured = (status: string, more: Partial<Capture> = {}): Capture => ({
  ...{ id: captureId, status, amount: usd(due) },
  ...{ create_time: '2026-11-21T10:00:00Z', update_time: '2026-11-21T11:00:00Z' },
  ...more,
});

const refunded = (id: string, status: string, cents: number, more: Partial<Refund> = {}): Refund => ({
  ...{ id, status, amount: usd(cents), create_time: '2026-11-21T11:30:00Z' },
  links: [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${captureId}` }],
  ...more,
});

const disputed = (status: string, more: Partial<Dispute> = {}): Dispute => ({
  ...{ dispute_id: 'PP-R-ONE', status, reason: 'UNAUTHORISED', dispute_amount: usd(due) },
  disputed_transactions: [{ seller_transaction_id: captureId }],
  create_time: '2026-11-21T11:00:00Z',
  ...more,
});
const resolved = (outcome: string, more: Partial<Dispute> = {}) =>
  disputed('RESOLVED', { dispute_outcome: { outcome_code: outcome }, ...more });

type Unit = NonNullable<PaypalReport['order']>['purchase_units'][number];

function report(
  captures: Capture[],
  {
    refunds = [],
    disputes = [],
    unit = {},
    status = 'COMPLETED',
  }: { refunds?: Refund[]; disputes?: Dispute[]; unit?: Partial<Unit>; status?: string } = {},
): PaypalReport {
  const reference = attempt.checkoutReference!;
  const purchase = { custom_id: attempt.token, invoice_id: attempt.invoice, ...unit };
  const payee = { merchant_id: attempt.receiverAccount! };
  const payments = captures.length > 0 ? { payments: { captures, refunds } } : {};
  const order = { id: reference, status, purchase_units: [{ payee, ...payments, ...purchase }] };
  return { reference, order, disputes, refusal: null };
}

const read = (from: PaypalReport, terms: Partial<StartedAttempt> = {}): Reading[] =>
  readReport(from, { attempt: { ...attempt, ...terms }, environment: 'live', receivedAt });

const eventsIn = (from: PaypalReport): ProviderEvent[] =>
  read(from).flatMap((reading) =>
    reading.kind === 'event'
      ? [reading.event, ...(reading.endedDisputes ?? []).map(({ event }) => event)]
      : [],
  );

/** As in the table `payment_events`, only the first event with each status of a transaction is kept. */
function stateAfter(reports: readonly PaypalReport[]) {
  const events = new Map<string, ProviderEvent>();
  for (const event of reports.flatMap(eventsIn)) {
    const key = `${event.txnId} ${event.status}`;
    if (!events.has(key)) events.set(key, event);
  }
  const { state, refundedCents, disputedCents } = providerOutcomeOf(events.values());
  return { state, refundedCents, disputedCents };
}

test('a payment counts even if PayPal did not name the receiving account when it created the order', () => {
  expect(read(report([captured('COMPLETED')]), { receiverAccount: null })).toMatchObject([{ kind: 'event' }]);
});

describe('a payment that does not match its attempt is held:', () => {
  const completed = captured('COMPLETED');
  test.each<[check: string, PaypalReport, Partial<StartedAttempt>?]>([
    ['amount', report([captured('COMPLETED', { amount: usd(due - 1) })])],
    ['amount', report([captured('COMPLETED', { amount: usd(due + 1) })])],
    ['amount', report([captured('COMPLETED', { amount: { currency_code: 'USD', value: '290.004' } })])],
    ['amount', report([captured('COMPLETED', { amount: { currency_code: 'USD', value: '-290.00' } })])],
    ['amount', report([captured('COMPLETED', { amount: { currency_code: 'USD', value: '2.9e2' } })])],
    ['currency', report([captured('COMPLETED', { amount: { currency_code: 'EUR', value: '290.00' } })])],
    ['custom_id', report([completed], { unit: { custom_id: 'another token' } })],
    ['invoice_id', report([completed], { unit: { invoice_id: '1043' } })],
    ['merchant_id', report([completed], { unit: { payee: { merchant_id: 'THIEF' } } })],
    ['environment of the attempt', report([completed]), { environment: 'sandbox' }],
    ['status', report([captured('MOSTLY_COMPLETED')])],
    ['status', report([captured('completed')])],
  ])('%s', (check, from, terms = {}) => {
    expect(read(from, terms)).toMatchObject([{ kind: 'held', failed: [{ check }] }]);
  });

  test('two captures of one order', () => {
    const held = { kind: 'held', failed: [{ check: 'captures', expected: '1', found: '2' }] };
    expect(read(report([completed, captured('COMPLETED', { id: 'ANOTHER' })]))).toMatchObject([held, held]);
  });

  test('with every rule that it breaks', () => {
    const amount = { currency_code: 'EUR', value: '1.00' };
    const [held] = read(report([captured('COMPLETED', { amount })], { unit: { custom_id: 'x' } }));
    expect(held).toMatchObject({
      failed: [{ check: 'custom_id' }, { check: 'currency' }, { check: 'amount' }],
    });
  });
});

describe('a capture', () => {
  test.each<[string, string | undefined, Partial<ProviderEvent>]>([
    ['COMPLETED', undefined, { status: 'COMPLETED', movement: 'received' }],
    ['PARTIALLY_REFUNDED', undefined, { status: 'COMPLETED', movement: 'received' }],
    ['REFUNDED', undefined, { status: 'COMPLETED', movement: 'received' }],
    // The money was received; PayPal holds it or took it back because of a dispute.
    ['PENDING', 'BUYER_COMPLAINT', { status: 'COMPLETED', movement: 'received', needsAcceptance: false }],
    ['PENDING', 'CHARGEBACK', { status: 'COMPLETED', movement: 'received', needsAcceptance: false }],
    ['PENDING', undefined, { status: 'PENDING', movement: 'pending', needsAcceptance: false }],
    ['PENDING', 'ECHECK', { movement: 'pending', needsAcceptance: false, reason: 'echeck' }],
    ['PENDING', 'PENDING_REVIEW', { movement: 'pending', needsAcceptance: false, reason: 'pending review' }],
    ['PENDING', 'TRANSACTION_APPROVED_AWAITING_FUNDING', { movement: 'pending', needsAcceptance: false }],
    ['PENDING', 'REFUNDED', { movement: 'pending', needsAcceptance: false }],
    ['PENDING', 'UNILATERAL', { movement: 'pending', needsAcceptance: true }],
    ['PENDING', 'INTERNATIONAL_WITHDRAWAL', { movement: 'pending', needsAcceptance: true }],
    ['PENDING', 'VERIFICATION_REQUIRED', { movement: 'pending', needsAcceptance: true }],
    ['PENDING', 'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION', { needsAcceptance: true }],
    ['PENDING', 'OTHER', { movement: 'pending', needsAcceptance: true }],
    ['DECLINED', undefined, { status: 'DECLINED', movement: 'failed', needsAcceptance: false }],
    ['FAILED', undefined, { status: 'FAILED', movement: 'failed', needsAcceptance: false }],
  ])('that is %s (reason: %s) is read as %j', (status, reason, expected) => {
    const [event, ...others] = eventsIn(report([captured(status, { status_details: { reason } })]));
    expect(event).toMatchObject({ txnId: captureId, parentTxnId: null, amountCents: due, ...expected });
    expect(others).toEqual([]);
  });

  test('has its fee, and the time of the payment or, if that cannot be read, the time at which the report was received', () => {
    const fee = { seller_receivable_breakdown: { paypal_fee: usd(871) } };
    expect(eventsIn(report([captured('COMPLETED', fee)]))).toMatchObject([
      { feeCents: 871, happenedAt: new Date('2026-11-21T10:00:00Z') },
    ]);
    expect(eventsIn(report([captured('COMPLETED', { create_time: 'yesterday' })]))).toMatchObject([
      { feeCents: null, happenedAt: receivedAt },
    ]);
  });
});

describe('an order without a capture', () => {
  test.each([
    ['CREATED', 'unapproved'],
    ['SAVED', 'unapproved'],
    ['PAYER_ACTION_REQUIRED', 'unapproved'],
    // Without a capture, no money was taken, whatever the status says.
    ['COMPLETED', 'unapproved'],
    ['SOMETHING_NEW', 'unapproved'],
    ['APPROVED', 'approved'],
    // Our own word, for a subscription that was approved and not cancelled.
    ['CHARGING', 'charging'],
    ['VOIDED', 'closed'],
  ])('that is %s is %s', (status, state) => {
    expect(read(report([], { status }))).toEqual([{ kind: 'checkout', state }]);
  });

  test.each<[string, Partial<Unit>, Partial<StartedAttempt>?]>([
    ['amount', { amount: usd(due + 1) }],
    ['currency', { amount: { currency_code: 'EUR', value: '290.00' } }],
    ['custom_id', { custom_id: 'another token' }],
    ['invoice_id', { invoice_id: '1043' }],
    ['merchant_id', { payee: { merchant_id: 'THIEF' } }],
    ['environment of the attempt', {}, { environment: 'sandbox' }],
  ])('that is approved with another %s is held, so that no money is taken', (check, unit, terms = {}) => {
    expect(
      read(report([], { status: 'APPROVED', unit: { amount: usd(due), ...unit } }), terms),
    ).toMatchObject([{ kind: 'held', failed: [{ check }] }]);
  });

  test('that PayPal does not know is closed', () => {
    expect(read({ ...report([]), order: null })).toEqual([{ kind: 'checkout', state: 'closed' }]);
  });

  test('whose money could not be taken has failed, with the reason; a later capture makes it paid', () => {
    const refused = { ...report([], { status: 'APPROVED' }), refusal: 'INSTRUMENT_DECLINED' };
    expect(eventsIn(refused)).toMatchObject([{ movement: 'failed', reason: 'payment method declined' }]);
    expect(stateAfter([refused, report([captured('COMPLETED')])])).toMatchObject({ state: 'paid' });
  });
});

describe('refunds', () => {
  const state = (...refunds: Refund[]) => stateAfter([report([captured('COMPLETED')], { refunds })]);

  test.each<[string, Refund[], string, number]>([
    ['of everything', [refunded('R1', 'COMPLETED', due)], 'refunded', due],
    ['of a part', [refunded('R1', 'COMPLETED', 4_999)], 'partially_refunded', 4_999],
    [
      'of two parts',
      [refunded('R1', 'COMPLETED', 4_999), refunded('R2', 'COMPLETED', 4_999)],
      'partially_refunded',
      9_998,
    ],
    [
      'of parts that add up to everything',
      [refunded('R1', 'COMPLETED', 1), refunded('R2', 'COMPLETED', due - 1)],
      'refunded',
      due,
    ],
    ['pending', [refunded('R1', 'PENDING', due)], 'paid', 0],
    ['failed', [refunded('R1', 'FAILED', due)], 'paid', 0],
    ['cancelled', [refunded('R1', 'CANCELLED', due)], 'paid', 0],
    [
      'without a link to the capture',
      [refunded('R1', 'COMPLETED', 1, { links: [] })],
      'partially_refunded',
      1,
    ],
  ])('%s', (_what, refunds, expected, refundedCents) => {
    expect(state(...refunds)).toMatchObject({ state: expected, refundedCents });
  });

  test.each([
    ['of another currency', { currency_code: 'EUR', value: '10.00' }],
    ['of more than was due', usd(due + 1)],
    ['of nothing', usd(0)],
    ['of less than nothing', { currency_code: 'USD', value: '-10.00' }],
  ])('%s are held, and the payment is still accepted', (_what, amount) => {
    const refunds = [refunded('R1', 'COMPLETED', 0, { amount })];
    const from = report([captured('COMPLETED')], { refunds });
    expect(read(from)).toMatchObject([{ kind: 'event' }, { kind: 'held', failed: [{ check: 'amount' }] }]);
    expect(stateAfter([from])).toMatchObject({ state: 'paid', refundedCents: 0 });
  });
});

describe('a dispute', () => {
  const complaint = captured('PENDING', { status_details: { reason: 'BUYER_COMPLAINT' } });
  const allRefunded = [refunded('R1', 'COMPLETED', due)];
  const part = { dispute_amount: usd(5_000) };

  type Row = [string, Capture, Refund[], Dispute[], ReturnType<typeof stateAfter>];
  const won = { state: 'paid', refundedCents: 0, disputedCents: 0 } as const;
  const taken = { state: 'disputed', refundedCents: 0, disputedCents: due } as const;
  const open = ['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'WAITING_FOR_BUYER_RESPONSE', 'UNDER_REVIEW', 'OTHER'];
  const partRefunded = (time?: string) => [
    refunded('R1', 'COMPLETED', 5_000, time === undefined ? {} : { create_time: time }),
  ];
  const awarded = { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: usd(5_000) };

  test.each<Row>([
    ...open.map((status): Row => [`that is ${status}`, complaint, [], [disputed(status)], taken]),
    [
      'about a part',
      captured('COMPLETED'),
      [],
      [disputed('OPEN', part)],
      { state: 'paid', refundedCents: 0, disputedCents: 5_000 },
    ],
    ['that the shop won', captured('COMPLETED'), [], [resolved('RESOLVED_SELLER_FAVOUR')], won],
    [
      'in which PayPal paid the buyer itself',
      captured('COMPLETED'),
      [],
      [resolved('RESOLVED_WITH_PAYOUT')],
      won,
    ],
    ['that the buyer cancelled', captured('COMPLETED'), [], [resolved('CANCELED_BY_BUYER')], won],
    ['that is lost, before its refund', complaint, [], [resolved('RESOLVED_BUYER_FAVOUR')], taken],
    [
      'that is lost, after its refund',
      captured('REFUNDED'),
      allRefunded,
      [resolved('RESOLVED_BUYER_FAVOUR')],
      { state: 'refunded', refundedCents: due, disputedCents: 0 },
    ],
    [
      'about a part, that is lost, after its refund',
      captured('PARTIALLY_REFUNDED'),
      partRefunded(),
      [resolved('RESOLVED_BUYER_FAVOUR', part)],
      { state: 'partially_refunded', refundedCents: 5_000, disputedCents: 0 },
    ],
    [
      'that ends with a refund of a part',
      captured('PARTIALLY_REFUNDED'),
      partRefunded(),
      [disputed('RESOLVED', { dispute_outcome: awarded })],
      { state: 'partially_refunded', refundedCents: 5_000, disputedCents: 0 },
    ],
    [
      'that is lost after an earlier refund of the same amount, before its own refund',
      captured('PARTIALLY_REFUNDED'),
      partRefunded('2026-11-21T10:30:00Z'),
      [resolved('RESOLVED_BUYER_FAVOUR', part)],
      { state: 'partially_refunded', refundedCents: 5_000, disputedCents: 5_000 },
    ],
  ])('%s', (_what, capture, refunds, disputes, expected) => {
    expect(stateAfter([report([capture], { refunds, disputes })])).toEqual(expected);
  });

  test('about another payment has no effect', () => {
    const disputes = [disputed('OPEN', { disputed_transactions: [{ seller_transaction_id: 'OTHER' }] })];
    expect(stateAfter([report([captured('COMPLETED')], { disputes })])).toMatchObject({ state: 'paid' });
  });

  test('in another currency is held', () => {
    const disputes = [disputed('OPEN', { dispute_amount: { currency_code: 'EUR', value: '290.00' } })];
    expect(read(report([captured('COMPLETED')], { disputes }))).toMatchObject([
      { kind: 'event' },
      { kind: 'held', failed: [{ check: 'amount' }] },
    ]);
  });
});

describe('the facts of a reading', () => {
  test('contain the ids, the status, the currency and the amount', () => {
    const refunds = [refunded('R1', 'COMPLETED', 500)];
    const [payment, refund] = read(report([captured('COMPLETED')], { refunds }));
    const money = { capture_id: captureId, status: 'COMPLETED', currency: 'USD' };
    expect(payment).toMatchObject({ facts: { ...money, amount: '290.00' } });
    expect(refund).toMatchObject({ facts: { ...money, refund_id: 'R1', amount: '5.00' } });
  });
});

/** The true state of a payment at PayPal. */
interface PaymentAtPaypal {
  money: 'pending' | 'received' | 'declined';
  refunds: { id: string; status: 'PENDING' | 'COMPLETED' | 'FAILED'; cents: number; at: number }[];
  dispute: {
    id: string;
    cents: number;
    at: number;
    outcome: 'none' | 'won' | 'lost';
    awardedCents: number;
  } | null;
  endedDisputes: Dispute[];
}
type Step =
  | { what: 'settle' | 'decline' | 'finish refund' | 'fail refund' | 'win' | 'refund award' }
  | { what: 'refund' | 'dispute' | 'lose'; share: number };

const shares = fc.constantFrom(0.01, 0.25, 0.5, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constantFrom('settle', 'decline', 'finish refund', 'fail refund', 'win', 'refund award'),
  }),
  fc.record({ what: fc.constantFrom('refund', 'dispute', 'lose'), share: shares }),
) as fc.Arbitrary<Step>;

const timeOf = (at: number) => new Date(Date.UTC(2026, 10, 21, 10, at)).toISOString();
const refundTotal = ({ refunds }: PaymentAtPaypal, ...statuses: string[]) =>
  refunds.filter(({ status }) => statuses.includes(status)).reduce((sum, { cents }) => sum + cents, 0);
const leftOf = (payment: PaymentAtPaypal) => due - refundTotal(payment, 'PENDING', 'COMPLETED');
const partOf = (cents: number, share: number) => Math.max(1, Math.round(cents * share));

/** Unchanged if PayPal does not allow the step now. */
function afterStep(payment: PaymentAtPaypal, next: Step, at: number): PaymentAtPaypal {
  const { money, refunds, dispute } = payment;
  const waiting = refunds.find(({ status }) => status === 'PENDING');
  const waitingBecomes = (status: 'COMPLETED' | 'FAILED') => ({
    ...payment,
    refunds: refunds.map((refund) => (refund === waiting ? { ...refund, status } : refund)),
  });
  const canRefundOrDispute =
    money === 'received' && dispute === null && waiting === undefined && leftOf(payment) > 0;
  switch (next.what) {
    case 'settle':
      return money === 'pending' ? { ...payment, money: 'received' } : payment;
    case 'decline':
      return money === 'pending' ? { ...payment, money: 'declined' } : payment;
    case 'refund': {
      const refund = {
        id: `R${at}`,
        status: 'PENDING' as const,
        cents: partOf(leftOf(payment), next.share),
        at,
      };
      return canRefundOrDispute ? { ...payment, refunds: [...refunds, refund] } : payment;
    }
    case 'finish refund':
      return waiting ? waitingBecomes('COMPLETED') : payment;
    case 'fail refund':
      return waiting ? waitingBecomes('FAILED') : payment;
    case 'dispute': {
      const opened = {
        id: `D${at}`,
        cents: partOf(leftOf(payment), next.share),
        at,
        outcome: 'none' as const,
        awardedCents: 0,
      };
      return canRefundOrDispute ? { ...payment, dispute: opened } : payment;
    }
    case 'win':
      return dispute?.outcome === 'none'
        ? {
            ...payment,
            dispute: null,
            endedDisputes: [...payment.endedDisputes, disputeOf({ ...dispute, outcome: 'won' })],
          }
        : payment;
    case 'lose':
      return dispute?.outcome === 'none'
        ? {
            ...payment,
            dispute: { ...dispute, outcome: 'lost', awardedCents: partOf(dispute.cents, next.share) },
          }
        : payment;
    case 'refund award': {
      if (dispute?.outcome !== 'lost') return payment;
      const refund = { id: `R${at}`, status: 'COMPLETED' as const, cents: dispute.awardedCents, at };
      return {
        ...payment,
        dispute: null,
        refunds: [...refunds, refund],
        endedDisputes: [...payment.endedDisputes, disputeOf(dispute)],
      };
    }
  }
}

function disputeOf({
  id,
  cents,
  at,
  outcome,
  awardedCents,
}: NonNullable<PaymentAtPaypal['dispute']>): Dispute {
  const common = { dispute_id: id, dispute_amount: usd(cents), create_time: timeOf(at) };
  if (outcome === 'none') return disputed('OPEN', common);
  const code = outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  const ruling = { outcome_code: code, ...(outcome === 'lost' && { amount_refunded: usd(awardedCents) }) };
  return resolved(code, { ...common, dispute_outcome: ruling });
}

function snapshotOf(payment: PaymentAtPaypal): PaypalReport {
  const { money, refunds, dispute, endedDisputes } = payment;
  const gone = refundTotal(payment, 'COMPLETED');
  const settled = gone >= due ? 'REFUNDED' : gone > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
  const complaint = captured('PENDING', { status_details: { reason: 'BUYER_COMPLAINT' } });
  const capture = {
    pending: captured('PENDING', { status_details: { reason: 'ECHECK' } }),
    declined: captured('DECLINED'),
    received: dispute ? complaint : captured(settled),
  }[money];
  return report([capture], {
    refunds: refunds.map(({ id, status, cents, at }) =>
      refunded(id, status, cents, { create_time: timeOf(at) }),
    ),
    disputes: [...endedDisputes, ...(dispute ? [disputeOf(dispute)] : [])],
  });
}

/** The state that the shop should have for the payment. */
function truthOf(payment: PaymentAtPaypal): ReturnType<typeof stateAfter> {
  const refundedCents = refundTotal(payment, 'COMPLETED');
  const disputedCents = payment.dispute?.cents ?? 0;
  if (payment.money !== 'received')
    return { state: payment.money === 'pending' ? 'pending' : 'failed', refundedCents, disputedCents };
  if (refundedCents >= due) return { state: 'refunded', refundedCents, disputedCents: 0 };
  if (disputedCents > 0 && disputedCents >= due - refundedCents)
    return { state: 'disputed', refundedCents, disputedCents };
  return { state: refundedCents > 0 ? 'partially_refunded' : 'paid', refundedCents, disputedCents };
}

test('the newest report decides, however often and in whatever order reports are read', () => {
  const histories = fc.array(step, { maxLength: 14 }).map((steps) => {
    const first: PaymentAtPaypal = { money: 'pending', refunds: [], dispute: null, endedDisputes: [] };
    return steps.reduce((history, next, i) => [...history, afterStep(history.at(-1)!, next, i + 1)], [first]);
  });
  fc.assert(
    fc.property(
      histories,
      fc.infiniteStream(fc.nat(1_000)),
      fc.nat(20),
      (history, randomNumbers, repeated) => {
        const newest = history.at(-1)!;
        const kept = history.filter((payment) => payment === newest || randomNumbers.next().value! % 2 === 0);
        const reports = [...kept, ...history.slice(0, repeated)]
          .map((payment) => ({ payment, position: randomNumbers.next().value! }))
          .sort((a, b) => a.position - b.position)
          .map(({ payment }) => snapshotOf(payment));
        expect(stateAfter(reports)).toEqual(truthOf(newest));
      },
    ),
    { numRuns: 1_000 },
  );
});
