import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AcceptedEvent, centsLeftByTxnId, type Movement, providerOutcomeOf } from './provider-state.js';

const due = 29_000;
const moment = new Date('2026-11-21T12:00:00Z');

function event(movement: Movement, txnId: string, more: Partial<AcceptedEvent> = {}): AcceptedEvent {
  return {
    movement,
    txnId,
    parentTxnId: null,
    amountCents: due,
    feeCents: null,
    happenedAt: moment,
    ...more,
  };
}
const of = (parentTxnId: string, amountCents = due) => ({ parentTxnId, amountCents });

const received = event('received', 'A');
const pending = event('pending', 'A');
const failed = event('failed', 'A');
const second = event('received', 'B');
const refund = event('refunded', 'R', of('A'));
const partRefunded = (txnId: string, cents: number) => event('refunded', txnId, of('A', cents));
const reversal = event('reversed', 'V', of('A'));
/** The seller has won the dispute: the provider gives the money back. */
const won = event('reversal_cancelled', 'W', of('A'));
const partReversed = (txnId: string, cents: number) => event('reversed', txnId, of('A', cents));
const partWon = (txnId: string, cents: number, parent = 'A') =>
  event('reversal_cancelled', txnId, of(parent, cents));
const fee = 871;
const withFee = event('received', 'A', { feeCents: fee });

describe('the provider’s state', () => {
  test.each<[string, AcceptedEvent[], string, number]>([
    ['nothing', [], 'unpaid', 0],
    ['an event without effect', [event('noted', 'A')], 'unpaid', 0],
    ['pending', [pending], 'pending', 0],
    ['pending, then completed', [pending, received], 'paid', 0],
    ['pending, then failed', [pending, failed], 'failed', 0],
    ['completed', [received], 'paid', 0],
    ['failed, and paid by another transaction', [failed, second], 'paid', 0],
    ['failed, and another one pending', [failed, event('pending', 'B')], 'pending', 0],
    ['a part refunded', [received, partRefunded('R', 100)], 'partially_refunded', 100],
    [
      'two parts refunded',
      [received, partRefunded('R', 100), partRefunded('S', 250)],
      'partially_refunded',
      350,
    ],
    ['refunded in parts', [received, partRefunded('R', 9_000), partRefunded('S', 20_000)], 'refunded', due],
    ['refunded', [received, refund], 'refunded', due],
    ['a refund of an unknown payment', [refund], 'unpaid', 0],
    ['refunded while pending', [pending, refund], 'failed', 0],
    ['a part refunded while pending', [pending, partRefunded('R', 100)], 'pending', 0],
    ['refused by a review', [pending, reversal], 'failed', 0],
    ['refused by a review, and pending again', [pending, reversal, won], 'pending', 0],
    ['a reversal of an unknown payment', [reversal], 'unpaid', 0],
    [
      'reversed, where the reversal arrives before the completion',
      [pending, reversal, received],
      'disputed',
      0,
    ],
    ['paid twice', [received, second], 'paid', 0],
    ['paid twice, one refunded', [received, second, refund], 'paid', due],
    ['paid twice, one refunded in part', [received, second, partRefunded('R', 100)], 'paid', 100],
    [
      'paid twice, both refunded',
      [received, second, refund, event('refunded', 'S', of('B'))],
      'refunded',
      2 * due,
    ],
    ['refunded, and a new one pending', [received, refund, event('pending', 'B')], 'pending', due],
    ['reversed', [received, reversal], 'disputed', 0],
    ['reversed and won', [received, reversal, won], 'paid', 0],
    [
      'reversed and won, with the reversal as the parent',
      [received, reversal, event('reversal_cancelled', 'W', of('V'))],
      'paid',
      0,
    ],
    ['won, and reversed again', [received, reversal, won, event('reversed', 'X', of('A'))], 'disputed', 0],
    ['a part refunded, then all reversed', [received, partRefunded('R', 100), reversal], 'disputed', 100],
    [
      'a part refunded, then all reversed and won',
      [received, partRefunded('R', 100), reversal, won],
      'partially_refunded',
      100,
    ],
    ['one disputed, the other kept', [received, second, reversal], 'paid', 0],
    ['a dollar reversed', [received, partReversed('V', 100)], 'paid', 0],
    [
      'a dollar reversed, a part refunded',
      [received, partRefunded('R', 5), partReversed('V', 100)],
      'partially_refunded',
      5,
    ],
    ['reversed in parts', [received, partReversed('V', 20_000), partReversed('X', 9_000)], 'disputed', 0],
    [
      'a part refunded, and the whole rest reversed',
      [received, partRefunded('R', 20_000), partReversed('V', 9_000)],
      'disputed',
      20_000,
    ],
    ['reversed net of the fee', [withFee, partReversed('V', due - fee)], 'disputed', 0],
    ['reversed net of more than the fee', [withFee, partReversed('V', due - fee - 1)], 'paid', 0],
    [
      'a dollar reversed when less than the fee is left',
      [withFee, partRefunded('R', due - 300), partReversed('V', 100)],
      'partially_refunded',
      due - 300,
    ],
    [
      'the rest reversed when less than the fee is left',
      [withFee, partRefunded('R', due - 300), partReversed('V', 300)],
      'disputed',
      due - 300,
    ],
    ['reversed net of the fee, won in full', [withFee, partReversed('V', due - fee), won], 'paid', 0],
    ['reversed in full, won net of the fee', [withFee, reversal, partWon('W', due - fee)], 'paid', 0],
    ['reversed, a part given back', [received, reversal, partWon('W', 10_000)], 'paid', 0],
    ['lost, and refunded', [received, reversal, refund], 'refunded', due],
    ['reversed in full twice', [received, reversal, event('reversed', 'X', of('A'))], 'disputed', 0],
  ])('%s', (_what, events, state, refundedCents) => {
    expect(providerOutcomeOf(events)).toMatchObject({ state, refundedCents });
  });

  test.each<[string, AcceptedEvent[], number]>([
    ['a part', [received, partReversed('V', 100)], 100],
    ['two parts', [received, partReversed('V', 100), partReversed('X', 200)], 300],
    [
      'two parts, the larger one won',
      [received, partReversed('V', 100), partReversed('X', 200), partWon('W', 200)],
      100,
    ],
    [
      'two parts, one won with its reversal as the parent',
      [received, partReversed('V', 100), partReversed('X', 100), partWon('W', 100, 'X')],
      100,
    ],
    ['a part of which a part came back', [received, partReversed('V', 300), partWon('W', 100)], 200],
    ['all, disputed twice', [received, reversal, event('reversed', 'X', of('A'))], due],
    ['all, net of the fee', [withFee, partReversed('V', due - fee)], due],
    ['nothing, refunded since', [received, reversal, refund], 0],
    ['nothing, won', [received, reversal, won], 0],
    ['nothing, refused before it was received', [pending, reversal], 0],
    ['one of two payments', [received, second, reversal], due],
  ])('counts what disputes have taken: %s', (_what, events, disputedCents) => {
    expect(providerOutcomeOf(events).disputedCents).toBe(disputedCents);
  });

  test('centsLeftByTxnId has the cents of each received payment that are neither refunded nor disputed, and omits payments with nothing left', () => {
    const events = [received, partRefunded('R', 1_000), partReversed('V', 200), second];
    expect([...centsLeftByTxnId(events)]).toEqual([
      ['A', due - 1_200],
      ['B', due],
    ]);
    expect([...centsLeftByTxnId([received, reversal, event('pending', 'B')])]).toEqual([]);
  });

  test('paidTwice is true while two transactions hold money', () => {
    expect(providerOutcomeOf([received, second]).paidTwice).toBe(true);
    expect(providerOutcomeOf([received, second, refund]).paidTwice).toBe(false);
    expect(providerOutcomeOf([received, second, reversal]).paidTwice).toBe(false);
    expect(providerOutcomeOf([received, second, reversal, won]).paidTwice).toBe(true);
  });

  test('lists the payments with their states, earliest first', () => {
    const later = { happenedAt: new Date('2026-11-22T12:00:00Z') };
    const events = [
      event('received', 'B', later),
      partRefunded('R', 1_005),
      event('pending', 'C', later),
      received,
    ];
    expect(providerOutcomeOf(events).payments).toEqual([
      {
        txnId: 'A',
        state: 'partially_refunded',
        amount: '290.00',
        refunded: '10.05',
        paidAt: moment.toISOString(),
      },
      {
        txnId: 'B',
        state: 'received',
        amount: '290.00',
        refunded: '0.00',
        paidAt: '2026-11-22T12:00:00.000Z',
      },
      {
        txnId: 'C',
        state: 'pending',
        amount: '290.00',
        refunded: '0.00',
        paidAt: '2026-11-22T12:00:00.000Z',
      },
    ]);
  });

  test('ignores refunds that name each other as their parents', () => {
    const circle = [event('refunded', 'X', of('Y')), event('refunded', 'Y', of('X'))];
    expect(providerOutcomeOf([...circle, received])).toMatchObject({ state: 'paid', refundedCents: 0 });
  });
});

interface BookedPayment {
  txnId: string;
  status: 'pending' | 'received' | 'failed';
  refunded: number;
  /** Cents that disputes have taken, by the transaction of the reversal. A dispute is removed when it is won or its money is refunded. */
  disputes: Map<string, number>;
}

/** A model of the provider's books, changed step by step. */
class Books {
  readonly events: AcceptedEvent[] = [];
  private readonly payments: BookedPayment[] = [];
  private count = 0;

  /** Does nothing if the provider would not allow the step now. */
  apply(step: Step): void {
    if (step.what === 'pay' || step.what === 'echeck') {
      if (this.payments.length < 4) this.addPayment(step.what === 'pay' ? 'received' : 'pending');
      return;
    }
    const payment = this.payments[step.payment % Math.max(1, this.payments.length)];
    if (!payment) return;
    const { txnId, status, refunded, disputes } = payment;
    const left = due - refunded - sum(disputes);
    const cents = step.all ? left : Math.min(left, step.cents);
    if (status === 'pending') {
      if (step.what === 'clear') this.settle(payment, 'received');
      if (step.what === 'fail') this.settle(payment, 'failed');
      if (step.what === 'refuse') {
        payment.status = 'failed';
        this.record('reversed', this.newTxnId(), { parentTxnId: txnId });
      }
    } else if (status !== 'received') return;
    else if (step.what === 'refund' && left > 0) {
      payment.refunded += cents;
      this.record('refunded', this.newTxnId(), { parentTxnId: txnId, amountCents: cents });
    } else if (step.what === 'reverse' && left > 0) {
      const dispute = this.newTxnId();
      disputes.set(dispute, cents);
      this.record('reversed', dispute, { parentTxnId: txnId, amountCents: cents });
    } else if (step.what === 'win' || step.what === 'lose') {
      const [dispute, taken] = [...disputes][step.cents % Math.max(1, disputes.size)] ?? [];
      if (dispute === undefined || taken === undefined) return;
      if (step.what === 'win') {
        disputes.delete(dispute);
        const parentTxnId = step.all ? txnId : dispute;
        this.record('reversal_cancelled', this.newTxnId(), { parentTxnId, amountCents: taken });
      } else if (taken >= due - refunded) {
        // The provider refunds the buyer only if the lost dispute was about all that was left of the payment. Otherwise, the reversal stays as it is.
        disputes.delete(dispute);
        payment.refunded = due;
        this.record('refunded', this.newTxnId(), { parentTxnId: txnId, amountCents: taken });
      }
    }
  }

  /** Derived from the books and not from the events. */
  get truth() {
    const receivedPayments = this.payments.filter(({ status }) => status === 'received');
    const isDisputed = ({ refunded, disputes }: BookedPayment) =>
      disputes.size > 0 && refunded + sum(disputes) === due;
    const kept = receivedPayments.filter((payment) => !isDisputed(payment) && payment.refunded < due);
    const state = kept.some(({ refunded }) => refunded === 0)
      ? 'paid'
      : kept.length > 0
        ? 'partially_refunded'
        : receivedPayments.some(isDisputed)
          ? 'disputed'
          : this.payments.some(({ status }) => status === 'pending')
            ? 'pending'
            : receivedPayments.length > 0
              ? 'refunded'
              : this.payments.length > 0
                ? 'failed'
                : 'unpaid';
    const refundedCents = this.payments.reduce((total, { refunded }) => total + refunded, 0);
    const disputedCents = this.payments.reduce((total, { disputes }) => total + sum(disputes), 0);
    return { state, refundedCents, disputedCents, paidTwice: kept.length > 1 };
  }

  private addPayment(status: 'received' | 'pending'): void {
    const txnId = this.newTxnId();
    this.payments.push({ txnId, status, refunded: 0, disputes: new Map() });
    this.record(status, txnId);
  }

  private settle(payment: BookedPayment, status: 'received' | 'failed'): void {
    payment.status = status;
    this.record(status, payment.txnId);
  }

  private record(movement: Movement, txnId: string, more: Partial<AcceptedEvent> = {}): void {
    const happenedAt = new Date(moment.getTime() + this.events.length * 1000);
    this.events.push(event(movement, txnId, { happenedAt, ...more }));
  }

  private newTxnId(): string {
    return `T${(this.count += 1)}`;
  }
}

const sum = (amounts: ReadonlyMap<string, number>) =>
  [...amounts.values()].reduce((total, cents) => total + cents, 0);

interface Step {
  what: (typeof stepKinds)[number];
  /** Chooses one of the payments so far. */
  payment: number;
  /** The amount; for `win` and `lose`, a number that chooses the dispute. */
  cents: number;
  /** For a refund or reversal: whether it is the whole remainder. For `win`: whether the cancellation names the payment instead of the reversal. */
  all: boolean;
}

const stepKinds = [
  ...(['pay', 'echeck', 'clear', 'fail', 'refuse'] as const),
  ...(['refund', 'reverse', 'win', 'lose'] as const),
];

const history: fc.Arbitrary<Books> = fc
  .array(
    fc.record<Step>({
      what: fc.constantFrom(...stepKinds),
      payment: fc.nat(3),
      cents: fc.integer({ min: 1, max: due }),
      all: fc.boolean(),
    }),
    { maxLength: 14 },
  )
  .map((steps) => {
    const books = new Books();
    for (const step of steps) books.apply(step);
    return books;
  });

/** The events of a history in any order, some of them repeated. */
const arrivals = history.chain((books) =>
  fc.record({
    books: fc.constant(books),
    arrived: fc
      .tuple(
        fc.shuffledSubarray(books.events, { minLength: books.events.length }),
        // `constantFrom` needs at least one value. A `noted` event has no effect.
        fc.array(fc.constantFrom(...(books.events.length > 0 ? books.events : [event('noted', 'N')])), {
          maxLength: 10,
        }),
        fc.array(fc.nat(20), { minLength: 10, maxLength: 10 }),
      )
      .map(([once, again, places]) => {
        const all = [...once];
        again.forEach((repeated, i) => all.splice((places[i] ?? 0) % (all.length + 1), 0, repeated));
        return all;
      }),
  }),
);

describe('for any events, in any order and with any repetition', () => {
  test('the outcome matches the provider’s books', () => {
    fc.assert(
      fc.property(arrivals, ({ books, arrived }) => {
        expect(providerOutcomeOf(arrived)).toMatchObject(books.truth);
      }),
      { numRuns: 3_000 },
    );
  });

  test('the outcome depends only on the set of events', () => {
    fc.assert(
      fc.property(arrivals, ({ books, arrived }) => {
        expect(providerOutcomeOf(arrived)).toEqual(providerOutcomeOf(books.events));
      }),
      { numRuns: 1_000 },
    );
  });
});
