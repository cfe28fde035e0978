import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OrderRefunds } from '#libs/contracts';
import { type Answer, eventually, type Session } from '#libs/testing';
import type { Payment } from '../../../../dev/stand-ins/paypal/model.js';
import { expectedState, type PlacedOrder, Shop } from './shop.harness.js';

let shop: Shop;
let admin: Session;
const scheduleCount = 150;
const concurrency = 6;

beforeAll(async () => {
  shop = await Shop.open({
    processes: ['orders'],
    product: 'checkout',
    settings: { LIMIT_NOTICES: '900000/60', LIMIT_PAYMENTS: '900000/60' },
    ordersSettings: { NOTICE_BACKLOG: '100000' },
  });
  // A second replica.
  await shop.site.startOrders();
  await shop.paypal.misbehave({}, { hold: true });
  admin = await shop.site.admin();
});
afterAll(() => shop?.close());

const paymentWays = ['balance', 'card', 'echeck', 'review', 'declined', 'refused'] as const;
/** `return` stands here twice, so that it is drawn twice as often as each of the others. */
const otherSteps = [
  ...(['return', 'return', 'webhook', 'settle', 'fail', 'refund', 'refund a part'] as const),
  ...(['dispute', 'win', 'lose', 'cancel', 'set Paid', 'set UnPaid', 'refund from the shop'] as const),
];
type Step = { what: 'pay'; with: (typeof paymentWays)[number] } | { what: (typeof otherSteps)[number] };

interface Schedule {
  steps: Step[];
  /** Webhooks are delivered in the order of these numbers. */
  turns: number[];
  /** The number of webhooks that are delivered twice in each round of deliveries. */
  duplicates: number;
}

const anyStep = fc.oneof(
  { weight: 1, arbitrary: fc.record({ what: fc.constant('pay'), with: fc.constantFrom(...paymentWays) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom(...otherSteps) }) },
) as fc.Arbitrary<Step>;
const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 9 }),
  turns: fc.array(fc.nat(1_000), { minLength: 20, maxLength: 20 }),
  duplicates: fc.integer({ min: 0, max: 2 }),
});

/** The call was refused because of the state of the order or the payment. */
const expectRefused = (refusal: unknown) => expect(refusal).toMatchObject({ status: 409 });

/** One order, and what was created for it at PayPal. */
class TestedOrder {
  /** PayPal’s ids of the order, one for each payment attempt. */
  private readonly references = new Set<string>();

  private constructor(
    readonly order: PlacedOrder,
    private readonly firstInvoice: string,
  ) {}

  static async place(): Promise<TestedOrder> {
    const order = await shop.placeOrder();
    return new TestedOrder(order, await shop.invoiceOf(order));
  }

  /** The `invoice` of each possible payment attempt. There are at most nine, because a schedule has at most nine steps. */
  private get invoices(): string[] {
    return ['', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9'].map((suffix) => this.firstInvoice + suffix);
  }

  async payments(): Promise<Payment[]> {
    const ledgers = [...this.references].map((orderId) => shop.paypal.ledger({ orderId }));
    return (await Promise.all(ledgers)).flatMap(({ payments }) => payments);
  }

  private async heldWebhookIds(): Promise<string[]> {
    const found = this.invoices.map((invoice) => shop.paypal.webhooks({ invoice, state: 'held' }));
    return (await Promise.all(found)).flat().map(({ id }) => id);
  }

  /** The shop or PayPal may refuse a step, such as a second refund. */
  async take(next: Step): Promise<void> {
    const { id } = this.order;
    if (next.what === 'pay') return this.pay(next.with);
    if (next.what === 'return') return void (await shop.returnFromPayment(this.order));
    const refusable = async (call: Promise<Answer>) => {
      const answer = await call;
      if (answer.status !== 200) expectRefused(answer);
    };
    if (next.what === 'cancel') return refusable(shop.cancel(this.order));
    if (next.what === 'set Paid') return refusable(admin.put(`/order/${id}`, { paymentStatus: 'Paid' }));
    if (next.what === 'set UnPaid') return refusable(admin.put(`/order/${id}`, { paymentStatus: 'UnPaid' }));
    if (next.what === 'webhook') {
      const [first] = await this.heldWebhookIds();
      return void (first !== undefined && (await shop.paypal.deliver([first])));
    }
    const txnId = (await this.payments()).at(-1)?.transactionId;
    if (txnId === undefined) return;
    if (next.what === 'refund from the shop') return this.refund(txnId);
    const actions = {
      settle: () => shop.paypal.clearEcheck(txnId),
      fail: () => shop.paypal.failEcheck(txnId),
      refund: () => shop.paypal.refund(txnId),
      'refund a part': () => shop.paypal.refund(txnId, '7.25'),
      dispute: () => shop.paypal.dispute(txnId, 'opened'),
      win: () => shop.paypal.dispute(txnId, 'won'),
      lose: () => shop.paypal.dispute(txnId, 'lost'),
    };
    await actions[next.what]().catch(expectRefused);
  }

  private async pay(way: (typeof paymentWays)[number]): Promise<void> {
    const answer = await shop.payNow(this.order);
    if (answer.status !== 201) return expectRefused(answer);
    const reference = new URL(answer.json.action).searchParams.get('token')!;
    this.references.add(reference);
    await shop.paypal.approveOrder(reference, { with: way }).catch(expectRefused);
  }

  private async refund(txnId: string): Promise<void> {
    const { id } = this.order;
    const refund = { txnId, amount: '3.50', reason: 'Sorry.' };
    const answer = await admin.post(`/order/${id}/refund`, refund);
    if (answer.status !== 201) return expectRefused(answer);
    await eventually(async () => {
      const { json } = await admin.get<OrderRefunds>(`/order/${id}/refunds`);
      expect(json.refunds.filter(({ state }) => state === 'requested')).toEqual([]);
    });
  }

  /**
   * Delivers the held webhooks in a random sequence. Delivering one can cause others: after the webhook of the approval, the shop captures the
   * payment.
   */
  async deliver({ turns, duplicates }: Schedule): Promise<void> {
    for (;;) {
      // Because of a delivered webhook, the shop may be capturing the payment just now, which causes more webhooks.
      await shop.settled();
      const ids = await this.heldWebhookIds();
      if (ids.length === 0) return;
      const shuffled = ids
        .map((id, i) => ({ id, turn: turns[i % turns.length]! }))
        .sort((a, b) => a.turn - b.turn)
        .map(({ id }) => id);
      await shop.paypal.deliver([...shuffled, ...shuffled.slice(0, duplicates)]);
    }
  }
}

/** PayPal's books do not have every payment that failed: a declined card leaves no entry. */
const failedAsUnpaid = (state: string) => (state === 'failed' ? 'unpaid' : state);

async function play(schedule: Schedule): Promise<void> {
  const tested = await TestedOrder.place();
  for (const next of schedule.steps) await tested.take(next);
  await tested.deliver(schedule);
  const payments = await tested.payments();
  const { paymentState, refundedCents } = expectedState(payments);
  // Not `payment_state`, which also depends on what the steps `set Paid`, `set UnPaid` and `cancel` did.
  const { rows } = await shop.sql.query<{ state: string; refunded: number }>(
    'SELECT provider_state AS state, refunded_cents::int AS refunded FROM orders WHERE id = $1',
    [tested.order.id],
  );
  expect({ schedule, rows: rows.map((row) => ({ ...row, state: failedAsUnpaid(row.state) })) }).toEqual({
    schedule,
    rows: [{ state: failedAsUnpaid(paymentState), refunded: refundedCents }],
  });
  const charged = payments.filter(({ standing }) => standing === 'Completed' || standing === 'Pending');
  const { flags } = await shop.storedOrder(tested.order);
  const isChargedTwice = charged.length > 1 || flags.includes('paid_twice');
  expect({ schedule, isChargedTwice }).toEqual({ schedule, isChargedTwice: false });
}

test(
  `after each of ${scheduleCount} random schedules the shop agrees with PayPal’s books, and nobody is charged twice`,
  async () => {
    const schedules = fc.sample(anySchedule, scheduleCount);
    for (let i = 0; i < schedules.length; i += concurrency)
      await Promise.all(schedules.slice(i, i + concurrency).map(play));
  },
  30 * 60_000,
);
