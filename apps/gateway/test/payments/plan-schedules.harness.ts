import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { SubscriptionFigures } from '#libs/contracts';
import { eventually, Session } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import { Shop } from './shop.harness.js';

const minuteMs = 60_000;
const graceMs = 10 * dayMs;
const priceCents = 29_000;
/** After this time, our services have caught up with PayPal. */
const catchUpMs = 15 * minuteMs;

/**
 * The outcomes of a charge: it is paid; it is an e-check that clears or bounces; or it fails. A failed charge is paid by PayPal's next attempt, or
 * by the customer `days` days later.
 */
const outcomes = [
  ...(['paid', 'cleared', 'bounced', 'retried'] as const).map((how) => ({ how, days: 0 })),
  ...[2, 4, 8, 12, 17].map((days) => ({ how: 'paid later' as const, days })),
];
/** How PayPal delivers the webhooks of a month. Held ones are delivered before the next month, the newest first. */
const deliveries = {
  normal: null,
  repeated: { duplicate: 2 },
  'in reverse': { hold: true },
  dropped: { drop: true },
  'a week late': { delayMs: 7 * dayMs },
};

const anyMonth = fc.record({
  outcome: fc.oneof(
    { weight: 1, arbitrary: fc.constant(outcomes[0]!) },
    { weight: 1, arbitrary: fc.constantFrom(...outcomes) },
  ),
  delivery: fc.constantFrom(...(Object.keys(deliveries) as (keyof typeof deliveries)[])),
});
type Month = typeof anyMonth extends fc.Arbitrary<infer T> ? T : never;
/** Milliseconds after PayPal's clock starts to move; null if no process is killed. */
const anyKillDelay = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.nat({ max: 1_500 }) },
);

interface ScheduleOptions {
  zone: string;
  /** When each plan begins, the earliest first. */
  beginnings: string[];
  /** The least number of charges of each plan, the first one included. */
  charges: number;
  /** At most this many processes are killed. */
  kills: number;
  /** Draws the months and the kills. */
  seed: number;
}

/** The period in which a charge was outstanding, in milliseconds since 1970. */
interface Failure {
  at: number;
  paidAt: number;
}

interface TestedPlan {
  plan: Plan;
  /** The months that have not begun. */
  months: Month[];
  failures: Failure[];
  beganAt: number;
  /** When PayPal makes the charge of the newest month. For a while after that, our services may not know about it. */
  chargeAt: number;
  /** Before this time, our services may not know yet what PayPal has done. */
  unknownUntil: number;
}

interface Step {
  at: number;
  run: () => Promise<void>;
}

const cents = (amount: string) => Math.round(Number(amount) * 100);
const nothing = () => Promise.resolve();

/**
 * Plans that renew for many months, while webhooks are lost, late, repeated or out of order, and processes are killed. After each step of PayPal's
 * clock, every plan must be in the state that its failed charges imply.
 */
export class PlanSchedule {
  private readonly tested: TestedPlan[] = [];
  private readonly steps: Step[] = [];
  private readonly killDelays: (number | null)[];
  private killed = 0;

  private constructor(
    private readonly shop: Shop,
    private readonly plans: Plans,
    private readonly options: ScheduleOptions,
  ) {
    this.killDelays = fc.sample(anyKillDelay, { seed: options.seed, numRuns: 2_000 });
  }

  static async play(options: ScheduleOptions): Promise<void> {
    const shop = await Shop.open({
      processes: ['orders'],
      product: 'checkout',
      paypalClock: 'running',
      settings: { LIMIT_NOTICES: '900000/60', LIMIT_PAYMENTS: '900000/60' },
      ordersSettings: { TZ: options.zone, PAYPAL_TIMEOUT_MS: '8000' },
    });
    try {
      await shop.site.startOrders();
      await shop.paypal.startClockAt(new Date(Date.parse(options.beginnings[0]!) - dayMs));
      const schedule = new PlanSchedule(shop, new Plans(shop), options);
      await schedule.run();
      await schedule.expectExactRecords();
    } finally {
      await shop.close();
    }
  }

  private async run(): Promise<void> {
    const { beginnings, charges, seed } = this.options;
    const months = fc.sample(anyMonth, { seed, numRuns: beginnings.length * (charges - 1) });
    for (const beginning of beginnings)
      this.schedule(Date.parse(beginning), () => this.begin(months.splice(0, charges - 1)));
    for (let step = this.earliest(); step; step = this.earliest()) {
      await this.advance(step.at);
      const now = await this.now();
      // PayPal renews all plans at the same time of day, so several steps may be due at the same moment.
      for (let due: Step | undefined = step; due && due.at <= now; due = this.earliest()) {
        this.steps.shift();
        await due.run();
      }
      await this.expectStatesAgree();
    }
  }

  private earliest(): Step | undefined {
    return this.steps.sort((one, other) => one.at - other.at)[0];
  }

  private schedule(at: number, run: () => Promise<void> = nothing): void {
    this.steps.push({ at, run });
  }

  private async now(): Promise<number> {
    return (await this.shop.paypal.clock()).now.getTime();
  }

  /** Moves PayPal's clock. If a kill was drawn for this step, kills a process while the clock moves. */
  private async advance(to: number): Promise<void> {
    if (to <= (await this.now())) return;
    const { paypal, site } = this.shop;
    const killDelay = this.killed < this.options.kills ? this.killDelays.pop() : null;
    if (typeof killDelay !== 'number') return void (await paypal.advanceClock(new Date(to)));
    // An even delay kills the newer of the two processes.
    const victim = site.orders.at(killDelay % 2 === 0 ? -1 : -2)!;
    const advancing = paypal.advanceClock(new Date(to));
    await pause(killDelay);
    this.killed += 1;
    await Promise.all([advancing, victim.kill()]);
    site.orders.splice(site.orders.indexOf(victim), 1);
    await site.startOrders();
  }

  private async begin(months: Month[]): Promise<void> {
    const customer = await this.shop.site.customer();
    const plan = await this.plans.subscribe({ customer });
    const tested = {
      plan,
      months,
      failures: [],
      beganAt: await this.now(),
      chargeAt: Infinity,
      unknownUntil: 0,
    };
    this.tested.push(tested);
    await this.beginMonth(tested);
  }

  private async beginMonth(tested: TestedPlan): Promise<void> {
    const next = tested.months.shift();
    if (!next) return;
    const { paypal } = this.shop;
    const { reference } = tested.plan;
    const match = { subscriptionId: reference };
    const { how } = next.outcome;
    await paypal.behave(match);
    const misbehaviour = deliveries[next.delivery];
    if (misbehaviour) await paypal.misbehave(match, misbehaviour);
    if (how === 'cleared' || how === 'bounced') await paypal.setFunding(reference, 'echeck');
    if (how === 'retried' || how === 'paid later') await paypal.setFunding(reference, 'declined');
    const chargedAt = Date.parse((await this.plans.atPaypal(tested.plan)).nextBillingAt!);
    tested.chargeAt = chargedAt;
    this.schedule(chargedAt + catchUpMs, () => this.afterCharge(tested, next, chargedAt));
    // The latest payment of a failed charge comes 17 days after the charge.
    this.schedule(chargedAt + 18 * dayMs, async () => {
      const held = await paypal.webhooks({ ...match, state: 'held' });
      if (held.length > 0) await paypal.deliver(held.map(({ id }) => id).reverse());
      await this.beginMonth(tested);
    });
  }

  private afterCharge(
    tested: TestedPlan,
    { outcome: { how, days } }: Month,
    chargedAt: number,
  ): Promise<void> {
    const { paypal } = this.shop;
    const fund = () => paypal.setFunding(tested.plan.reference, 'ok');
    if (how === 'cleared' || how === 'bounced')
      this.schedule(chargedAt + 5 * dayMs + catchUpMs, () => this.endEcheck(tested, how === 'cleared'));
    if (how === 'retried') {
      this.recordFailure(tested, { at: chargedAt, paidAt: chargedAt + 5 * dayMs });
      this.schedule(chargedAt + dayMs, async () => void (await fund()));
    }
    if (how === 'paid later') {
      const failure = { at: chargedAt, paidAt: Infinity };
      this.recordFailure(tested, failure);
      this.schedule(chargedAt + days * dayMs + 2 * catchUpMs, async () => {
        await fund();
        failure.paidAt = await this.now();
        await this.plans.act(tested.plan, 'retry', undefined, await this.signIn(tested.plan));
      });
    }
    return nothing();
  }

  /** Signs in again, because the run takes longer than the ten minutes for which an access token is valid. */
  private signIn({ customer }: Plan): Promise<Session> {
    return Session.signIn(this.shop.site.url, { email: customer.email!, password: 'correct horse battery' });
  }

  /** Also schedules a step after each moment at which the failure has a consequence. */
  private recordFailure(tested: TestedPlan, failure: Failure): void {
    tested.failures.push(failure);
    const { at, paidAt } = failure;
    for (const moment of [at + 3 * dayMs, at + 7 * dayMs, at + graceMs, paidAt])
      if (moment < Infinity) this.schedule(moment + catchUpMs);
  }

  /** If the webhook is lost, only the daily inquiry notices how the e-check ended. Before that, the plan's state is not checked. */
  private async endEcheck(tested: TestedPlan, isCleared: boolean): Promise<void> {
    const { paypal } = this.shop;
    await paypal.setFunding(tested.plan.reference, 'ok');
    const pending = (await this.plans.atPaypal(tested.plan)).charges.at(-1)!;
    const now = await this.now();
    await paypal.settle(pending.transactionId, isCleared ? 'Completed' : 'Failed');
    tested.unknownUntil = now + dayMs + catchUpMs;
    this.schedule(tested.unknownUntil);
    const { retryAt } = await this.plans.atPaypal(tested.plan);
    if (!isCleared) this.recordFailure(tested, { at: now, paidAt: Date.parse(retryAt!) });
  }

  /**
   * Waits until nothing is due. If that takes too long, moves PayPal's clock: two minutes later on that clock, another process takes over what a
   * killed one had begun.
   */
  private async settled(): Promise<void> {
    for (let round = 1; ; round += 1) {
      await this.shop.settled();
      const soon = new Date((await this.now()) + 2.5 * minuteMs);
      const expectNothingDue = async () => {
        const { rows } = await this.shop.sql.query('SELECT id FROM subscriptions WHERE inquire_at <= $1', [
          soon,
        ]);
        expect(rows).toEqual([]);
      };
      const isSettled = await eventually(expectNothingDue, { timeoutMs: 4_000 }).then(
        () => true,
        (error: unknown) => {
          if (round === 8) throw error;
          return false;
        },
      );
      if (isSettled) return;
      await this.shop.paypal.advanceClock(3 * minuteMs);
    }
  }

  /** Compares each plan's states, here and at PayPal, with the ones that its failed charges imply. */
  private async expectStatesAgree(): Promise<void> {
    await this.settled();
    const now = await this.now();
    for (const { plan, failures, chargeAt, unknownUntil } of this.tested) {
      if (now < unknownUntil || (chargeAt <= now && now < chargeAt + catchUpMs)) continue;
      const failure = failures.find(({ at, paidAt }) => at <= now && now < paidAt);
      const state = !failure ? 'active' : now - failure.at < graceMs ? 'past_due' : 'suspended';
      const status = state === 'suspended' ? 'SUSPENDED' : 'ACTIVE';
      const at = new Date(now).toISOString();
      const { rows } = await this.shop.sql.query('SELECT state FROM subscriptions WHERE id = $1', [plan.id]);
      expect({ at, rows }).toEqual({ at, rows: [{ state }] });
      expect({ at, status: (await this.plans.atPaypal(plan)).status }).toEqual({ at, status });
    }
  }

  private async expectExactRecords(): Promise<void> {
    for (const tested of this.tested) {
      await this.expectOneOrderPerMonth(tested);
      expect(await this.plans.news(tested.plan)).toEqual(tested.failures.flatMap(newsOf));
      await this.expectServed(tested);
    }
    await this.expectFigures();
    const { rows } = await this.shop.sql.query(
      `SELECT payload->>'orderId' FROM outbox_messages WHERE event = 'orders.paid' GROUP BY 1 HAVING count(*) <> 1`,
    );
    expect(rows).toEqual([]);
  }

  /** Amounts and days are those of PayPal's books. */
  private async expectOneOrderPerMonth({ plan }: TestedPlan): Promise<void> {
    const { charges } = await this.plans.atPaypal(plan);
    const expected: { cycle: number; amount: number; day: string; txns: string[] }[] = [];
    /** Whether the last order is still unpaid: the next charge then pays it. */
    let isUnpaid = false;
    for (const { transactionId, entries, standing, gross } of charges) {
      // A charge that was declined immediately never moved money, so it has neither an order nor an attempt.
      if (standing !== 'Completed' && entries.length === 1) continue;
      if (isUnpaid) expected.at(-1)!.txns.push(transactionId);
      else {
        // The first order has the day on which the customer placed it.
        const day = expected.length === 0 ? expect.any(String) : entries[0]!.at.slice(0, 10);
        const cycle = expected.length + 1;
        expected.push({ cycle, amount: cents(gross), day: day as string, txns: [transactionId] });
      }
      isUnpaid = standing !== 'Completed';
    }
    // Plans that began first are charged until the last plan has had all its months.
    expect(expected.length).toBeGreaterThanOrEqual(this.options.charges);
    const { rows } = await this.shop.sql.query(
      `SELECT cycle, price_cents::int AS amount, order_date::text AS day, payment_status AS status,
         ARRAY(SELECT checkout_reference FROM payment_attempts
           WHERE order_id = orders.id AND kind = 'charge' ORDER BY id) AS txns
       FROM orders WHERE subscription_id = $1 ORDER BY cycle`,
      [plan.id],
    );
    expect(rows).toEqual(expected.map((order) => ({ ...order, status: 'Paid' })));
  }

  /** In service from the first charge on, except from the end of a grace period to the payment. */
  private async expectServed({ plan, beganAt, failures }: TestedPlan): Promise<void> {
    const { rows } = await this.shop.sql.query<{ movement: string; at: Date }>(
      `SELECT movement, at FROM subscription_timeline
       WHERE subscription_id = $1 AND movement IS NOT NULL ORDER BY id`,
      [plan.id],
    );
    const expected = [{ movement: 'new', at: beganAt }, ...failures.flatMap(movementsOf)];
    expect(rows.map(({ movement }) => movement)).toEqual(expected.map(({ movement }) => movement));
    rows.forEach(({ at }, index) =>
      expect(Math.abs(at.getTime() - expected[index]!.at)).toBeLessThan(30 * minuteMs),
    );
  }

  private async expectFigures(): Promise<void> {
    const admin = await this.shop.site.admin();
    const { json } = await admin.get<SubscriptionFigures>('/plan-subscriptions/figures');
    const plans = this.tested.length;
    const dollarsOf = (planCount: number) => ((planCount * priceCents) / 100).toFixed(2);
    expect(json).toMatchObject({
      ...{ recurring: dollarsOf(plans), inService: plans, pastDue: { plans: 0, amount: '0.00' } },
      expected: { charges: plans, amount: dollarsOf(plans) },
    });
    const moved = this.tested.flatMap(({ beganAt, failures }) => [
      { movement: 'new', at: beganAt },
      ...failures.flatMap(movementsOf),
    ]);
    const count = (movement: string, isIn: (month: string) => boolean) =>
      moved.filter((one) => one.movement === movement && isIn(new Date(one.at).toISOString().slice(0, 7)))
        .length;
    expect(json.months).toEqual(
      json.months.map(({ month }) => {
        const [began, left] = ['new', 'churned'].map((movement) =>
          count(movement, (counted) => counted === month),
        );
        const until = (counted: string) => counted <= month;
        return {
          ...{ month, began, left, new: dollarsOf(began!), churned: dollarsOf(left!) },
          ...{ expansion: '0.00', contraction: '0.00' },
          recurring: dollarsOf(count('new', until) - count('churned', until)),
        };
      }),
    );
  }
}

function newsOf({ at, paidAt }: Failure): string[] {
  const lasted = paidAt - at;
  return [
    'charge_failed',
    ...[3, 7].filter((days) => days * dayMs < lasted).map(() => 'charge_failed_reminder'),
    ...(graceMs < lasted ? ['suspended'] : []),
    'recovered',
  ];
}

function movementsOf({ at, paidAt }: Failure): { movement: string; at: number }[] {
  if (paidAt - at < graceMs) return [];
  return [
    { movement: 'churned', at: at + graceMs },
    { movement: 'new', at: paidAt },
  ];
}
