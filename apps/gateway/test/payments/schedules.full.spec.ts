import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectedState, type PlacedOrder, Shop } from './shop.harness.js';

let shop: Shop;
const scheduleCount = 300;
const concurrency = 6;

beforeAll(async () => {
  shop = await Shop.open({
    processes: ['orders'],
    settings: { LIMIT_NOTICES: '900000/60', LIMIT_PAYMENTS: '900000/60' },
    // A refund that arrives before its payment waits for it at most `NOTICE_REFUSED_SECONDS`.
    ordersSettings: { NOTICE_BACKLOG: '100000', NOTICE_REFUSED_SECONDS: '60' },
  });
  // A second replica.
  await shop.site.startOrders();
  // Real merchants are often paid at a secondary e-mail address, and have set tax and shipping in their account.
  await shop.paypal.setUpMerchant({
    email: 'owner@agency.example',
    otherEmails: ['sales@agency.example'],
    profileTax: '24.00',
    profileShipping: '5.00',
  });
  await shop.setAddress('sales@agency.example');
});
afterAll(() => shop?.close());

const paymentWays = ['balance', 'card', 'echeck'] as const;
/** The merchant, not the buyer, wins or loses the dispute. */
const laterSteps = [
  ...(['settle', 'refund', 'refund a part', 'dispute', 'win', 'lose'] as const),
  'lose without Canceled_Reversal',
] as const;
type Step =
  | { what: 'pay'; with: (typeof paymentWays)[number] }
  | { what: (typeof laterSteps)[number]; payment: number };

const anyStep = fc.oneof(
  fc.record({ what: fc.constant('pay'), with: fc.constantFrom(...paymentWays) }),
  fc.record({ what: fc.constantFrom(...laterSteps), payment: fc.nat(2) }),
) as fc.Arbitrary<Step>;

interface Schedule {
  steps: Step[];
  /** Notifications are delivered in the order of these numbers. */
  turns: number[];
  /** How many notifications are delivered again at the end, beginning with the first. */
  duplicates: number;
}

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 7 }),
  turns: fc.array(fc.nat(1_000), { minLength: 20, maxLength: 20 }),
  duplicates: fc.integer({ min: 0, max: 2 }),
});

/** Skips steps that PayPal refuses, such as refunding twice. */
async function take(order: PlacedOrder, form: Record<string, string>, step: Step): Promise<void> {
  if (step.what === 'pay') return void (await shop.paypal.pay(form, { with: step.with }));
  const { payments } = await shop.paypal.ledger({ invoice: order.id });
  const id = payments[step.payment % Math.max(1, payments.length)]?.transactionId;
  if (id === undefined) return;
  const actions = {
    settle: () => shop.paypal.clearEcheck(id),
    refund: () => shop.paypal.refund(id),
    'refund a part': () => shop.paypal.refund(id, '7.25'),
    dispute: () => shop.paypal.dispute(id, 'opened'),
    win: () => shop.paypal.dispute(id, 'won'),
    lose: () => shop.paypal.dispute(id, 'lost'),
    // PayPal does not notify us of the Canceled_Reversal, only of the refund that follows it.
    'lose without Canceled_Reversal': async () => {
      const silence = { drop: true, statuses: ['Canceled_Reversal' as const], times: 1 };
      await shop.paypal.misbehave({ transactionId: id }, silence);
      try {
        await shop.paypal.dispute(id, 'lost');
      } finally {
        await shop.paypal.behave({ transactionId: id });
      }
    },
  };
  await actions[step.what]().catch((error: Error) => expect(error).toMatchObject({ status: 409 }));
}

async function play(schedule: Schedule): Promise<void> {
  const { steps, turns, duplicates } = schedule;
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
  const form = await shop.form(order);
  for (const step of steps) await take(order, form, step);
  const notifications = await shop.paypal.ipns({ invoice: order.id, state: 'held' });
  const shuffled = notifications
    .map(({ id }, i) => ({ id, turn: turns[i % turns.length]! }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ id }) => id);
  if (shuffled.length > 0) await shop.paypal.deliver([...shuffled, ...shuffled.slice(0, duplicates)]);
  await shop.settled();
  const { payments } = await shop.paypal.ledger({ invoice: order.id });
  expect({ schedule, ...(await shop.storedOrder(order)) }).toMatchObject({
    schedule,
    ...expectedState(payments),
  });
}

test(
  `after each of ${scheduleCount} random schedules the shop agrees with PayPal’s books`,
  async () => {
    const schedules = fc.sample(anySchedule, scheduleCount);
    for (let i = 0; i < schedules.length; i += concurrency)
      await Promise.all(schedules.slice(i, i + concurrency).map(play));
  },
  30 * 60_000,
);
