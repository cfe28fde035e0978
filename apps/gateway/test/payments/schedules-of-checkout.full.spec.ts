import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CheckoutForm } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import type { Payment } from '../../../../dev/stand-ins/paypal/model.js';
import { impliedBy, type Placed, Shop } from './shop.harness.js';

let shop: Shop;
let admin: Session;
const schedules = 150;
const concurrency = 6;

beforeAll(async () => {
  shop = await Shop.open({
    processes: ['orders'],
    product: 'checkout',
    settings: { LIMIT_NOTICES: '900000/60', LIMIT_PAYMENTS: '900000/60' },
    ordersSettings: { NOTICE_BACKLOG: '100000' },
  });
  await shop.site.startOrders();
  await shop.paypal.misbehave({}, { hold: true });
  admin = await shop.site.admin();
});
afterAll(() => shop?.close());

const ways = ['balance', 'card', 'echeck', 'review', 'declined', 'refused'] as const;
const others = [
  ...(['return', 'return', 'webhook', 'settle', 'fail', 'refund', 'refund a part', 'refund here'] as const),
  ...(['dispute', 'win', 'lose', 'cancel', 'set Paid', 'set UnPaid'] as const),
];
type Step = { what: 'pay'; with: (typeof ways)[number] } | { what: (typeof others)[number] };

interface Schedule {
  steps: Step[];
  /** The sequence in which webhooks are sent, some of them repeatedly. */
  turns: number[];
  duplicate: number;
}

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ what: fc.constant('pay'), with: fc.constantFrom(...ways) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom(...others) }) },
) as fc.Arbitrary<Step>;
const schedule: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
  turns: fc.array(fc.nat(1_000), { minLength: 20, maxLength: 20 }),
  duplicate: fc.integer({ min: 0, max: 2 }),
});

/** Fails unless the state of the order or the payment was the reason. */
const expectRefused = (refusal: unknown) => expect(refusal).toMatchObject({ status: 409 });

/** One order, and what was created for it at PayPal. */
class Play {
  private readonly references = new Set<string>();

  private constructor(
    readonly order: Placed,
    private readonly number: string,
  ) {}

  static async begin(): Promise<Play> {
    const order = await shop.placed();
    return new Play(order, await shop.invoiceOf(order));
  }

  /** The invoice ids of up to nine attempts. */
  private get invoices(): string[] {
    return ['', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9'].map((suffix) => this.number + suffix);
  }

  async payments(): Promise<Payment[]> {
    const ledgers = [...this.references].map((orderId) => shop.paypal.ledger({ orderId }));
    return (await Promise.all(ledgers)).flatMap(({ payments }) => payments);
  }

  private async held(): Promise<string[]> {
    const found = this.invoices.map((invoice) => shop.paypal.webhooks({ invoice, state: 'held' }));
    return (await Promise.all(found)).flat().map(({ id }) => id);
  }

  /** Skips steps that the shop or PayPal refuses, such as refunding twice. */
  async take(next: Step): Promise<void> {
    const { id, customer } = this.order;
    if (next.what === 'pay') return this.pay(next.with);
    if (next.what === 'return') return void (await shop.returned(this.order));
    const set = (by: Session, path: string, paymentStatus: string) =>
      by.put(path, { paymentStatus }).then((answer) => {
        if (answer.status !== 200) expectRefused(answer);
      });
    if (next.what === 'cancel') return set(customer, `/order-cancelled/${id}`, 'Cancelled');
    if (next.what === 'set Paid') return set(admin, `/order/${id}`, 'Paid');
    if (next.what === 'set UnPaid') return set(admin, `/order/${id}`, 'UnPaid');
    if (next.what === 'webhook') {
      const [oldest] = await this.held();
      return void (oldest !== undefined && (await shop.paypal.deliver([oldest])));
    }
    const transaction = (await this.payments()).at(-1)?.transactionId;
    if (transaction === undefined) return;
    if (next.what === 'refund here') return this.refund(transaction);
    const happen = {
      settle: () => shop.paypal.clearEcheck(transaction),
      fail: () => shop.paypal.failEcheck(transaction),
      refund: () => shop.paypal.refund(transaction),
      'refund a part': () => shop.paypal.refund(transaction, '7.25'),
      dispute: () => shop.paypal.dispute(transaction, 'opened'),
      win: () => shop.paypal.dispute(transaction, 'won'),
      lose: () => shop.paypal.dispute(transaction, 'lost'),
    };
    await happen[next.what]().catch(expectRefused);
  }

  private async pay(by: (typeof ways)[number]): Promise<void> {
    const { id, customer } = this.order;
    const answer = await customer.post<CheckoutForm>(`/order/${id}/payment`, undefined);
    if (answer.status !== 201) return expectRefused(answer);
    const reference = new URL(answer.json.action).searchParams.get('token')!;
    this.references.add(reference);
    await shop.paypal.approve(reference, { with: by }).catch(expectRefused);
  }

  private async refund(txnId: string): Promise<void> {
    const { id } = this.order;
    const refund = { txnId, amount: '3.50', reason: 'Sorry.' };
    const answer = await admin.post(`/order/${id}/refund`, refund);
    if (answer.status !== 201) return expectRefused(answer);
    await eventually(async () => {
      const { json } = await admin.get<{ refunds: { state: string }[] }>(`/order/${id}/refunds`);
      expect(json.refunds.filter(({ state }) => state === 'requested')).toEqual([]);
    });
  }

  /**
   * Delivers the webhooks in a random sequence until there are no more. A delivery can cause more: that of the approval causes those of the
   * capture.
   */
  async deliver({ turns, duplicate }: Schedule): Promise<void> {
    for (;;) {
      // A webhook that was delivered before may be causing a capture at this moment, and more webhooks follow from that.
      await shop.settled();
      const ids = await this.held();
      if (ids.length === 0) return;
      const shuffled = ids
        .map((id, i) => ({ id, turn: turns[i % turns.length]! }))
        .sort((a, b) => a.turn - b.turn)
        .map(({ id }) => id);
      await shop.paypal.deliver([...shuffled, ...shuffled.slice(0, duplicate)]);
    }
  }
}

/** PayPal's books do not have every payment that failed: a declined card leaves no entry. */
const moneyIn = (state: string) => (state === 'failed' ? 'unpaid' : state);

async function play(drawn: Schedule): Promise<void> {
  const one = await Play.begin();
  for (const next of drawn.steps) await one.take(next);
  await one.deliver(drawn);
  const payments = await one.payments();
  const { paymentState, refundedCents } = impliedBy(payments);
  const { rows } = await shop.sql.query<{ state: string; refunded: number }>(
    'SELECT provider_state AS state, refunded_cents::int AS refunded FROM orders WHERE id = $1',
    [one.order.id],
  );
  expect({ steps: drawn.steps, rows: rows.map((row) => ({ ...row, state: moneyIn(row.state) })) }).toEqual({
    steps: drawn.steps,
    rows: [{ state: moneyIn(paymentState), refunded: refundedCents }],
  });
  // The buyer is never charged twice.
  const charged = payments.filter(({ standing }) => standing === 'Completed' || standing === 'Pending');
  expect({ steps: drawn.steps, charged: charged.length > 1 }).toEqual({ steps: drawn.steps, charged: false });
  const order = await shop.storedOrder(one.order);
  expect(order.flags).not.toContain('paid_twice');
}

test(
  `after each of ${schedules} random schedules the shop agrees with PayPal’s books, and nobody is charged twice`,
  async () => {
    const drawn = fc.sample(schedule, schedules);
    for (let i = 0; i < drawn.length; i += concurrency)
      await Promise.all(drawn.slice(i, i + concurrency).map(play));
  },
  30 * 60_000,
);
