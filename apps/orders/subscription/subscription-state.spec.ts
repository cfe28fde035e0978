import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SubscriptionState } from '#libs/contracts';
import type { ProviderSubscription } from '../payment/subscription-provider.js';
import { SubscriptionEntity } from './subscription.entity.js';
import {
  afterCancellation,
  afterReading,
  afterResumption,
  afterDueChanges,
  isEnding,
  isInService,
  stepsBetween,
  type SubscriptionFacts,
  type SubscriptionStep,
  factsOf,
} from './subscription-state.js';
import { actionsOf } from './subscription.view.js';

const dayMs = 86_400_000;
const graceMs = 10 * dayMs;
const now = new Date('2027-03-01T10:00:00Z');
const after = (days: number) => new Date(now.getTime() + days * dayMs);

const active: SubscriptionFacts = {
  ...factsOf(
    Object.assign(new SubscriptionEntity(), {
      packageName: 'Basic',
      priceCents: 29_000,
      startedAt: after(-40),
    }),
  ),
  ...{ state: 'active', cycles: 2, nextChargeAt: after(20), paidUntil: after(20) },
};
const pastDue = { pastDueSince: after(-1), paidUntil: after(-1), outstandingCents: 29_000 };
const stopped = { desiredStatus: 'stopped', providerStatus: 'stopped' } as const;
const states: Record<SubscriptionState, SubscriptionFacts> = {
  pending: { ...active, state: 'pending', cycles: 0, paidUntil: null },
  active,
  past_due: { ...active, state: 'past_due', ...pastDue },
  suspended: {
    ...active,
    ...pastDue,
    ...stopped,
    state: 'suspended',
    desiredStatusReason: 'unpaid',
    reminders: 2,
  },
  paused: { ...active, ...stopped, state: 'paused', desiredStatusReason: 'paused' },
  ending: {
    ...active,
    ...stopped,
    ...{ state: 'ending', desiredStatusReason: 'ending', endsAt: after(20), endReason: 'customer' },
  },
  ended: {
    ...active,
    ...{ state: 'ended', desiredStatus: 'cancelled', providerStatus: 'cancelled', endReason: 'customer' },
    ...{ endedAt: after(-1), nextChargeAt: null },
  },
};

const good: ProviderSubscription = {
  ...{ status: 'charging', terms: { packageName: 'Basic', priceCents: 29_000 }, startedAt: after(-40) },
  ...{ nextChargeAt: after(20), isPastDue: false, failedAt: null, retryAt: null, outstandingCents: 0 },
};
const failed: ProviderSubscription = {
  ...good,
  ...{ isPastDue: true, failedAt: after(-1), retryAt: after(4), outstandingCents: 29_000 },
};
const failedTenDaysAgo = { ...failed, failedAt: after(-10) };
const readings = {
  'is charged': good,
  'has a failed charge': failed,
  'has a charge that failed ten days ago': failedTenDaysAgo,
  'is stopped': { ...good, status: 'stopped' },
  'is stopped with a charge outstanding': { ...failed, status: 'stopped', retryAt: null },
  'is cancelled': { ...good, status: 'cancelled', nextChargeAt: null },
} satisfies Record<string, ProviderSubscription>;

interface ReadOptions {
  received?: number;
  newPriceChargedAt?: Date;
  time?: Date;
  isChargePending?: boolean;
}

function read(
  before: SubscriptionFacts,
  reading: ProviderSubscription,
  { received = before.cycles, time = now, newPriceChargedAt, isChargePending = false }: ReadOptions = {},
) {
  const facts = afterReading(before, reading, { receivedCharges: received, now: time, newPriceChargedAt });
  const result = afterDueChanges(facts, { now: time, graceMs, isChargePending });
  return { result, steps: stepsBetween(before, result) };
}
const newsOf = (steps: readonly SubscriptionStep[]) => steps.flatMap(({ news }) => news ?? []);
const movementsOf = (steps: readonly SubscriptionStep[]) =>
  steps.flatMap(({ movement }) => (movement ? [`${movement.kind} ${movement.cents}`] : []));
const revenueOf = (facts: SubscriptionFacts) => (isInService(facts) ? facts.priceCents : 0);
const balanceOf = (steps: readonly SubscriptionStep[]) =>
  steps.reduce((sum, { movement }) => {
    if (!movement) return sum;
    const { kind, cents } = movement;
    return sum + (kind === 'new' || kind === 'expansion' ? cents : -cents);
  }, 0);

type ReadingName = keyof typeof readings;
type Outcome = [state: SubscriptionState, news: string[], movements: string[]];
const unchanged = (state: SubscriptionState): Outcome => [state, [], []];
const newsAndChurn = (news: string): [string[], string[]] => [[news], ['churned 29000']];

const outcomes: Record<SubscriptionState, Record<ReadingName, Outcome>> = {
  pending: {
    'is charged': unchanged('pending'),
    'has a failed charge': ['past_due', ['charge_failed'], []],
    'has a charge that failed ten days ago': ['suspended', ['suspended'], []],
    'is stopped': ['paused', ['paused'], []],
    'is stopped with a charge outstanding': ['suspended', ['suspended'], []],
    'is cancelled': ['ended', ['ended'], []],
  },
  active: {
    'is charged': unchanged('active'),
    'has a failed charge': ['past_due', ['charge_failed'], []],
    'has a charge that failed ten days ago': ['suspended', ...newsAndChurn('suspended')],
    'is stopped': ['paused', ...newsAndChurn('paused')],
    'is stopped with a charge outstanding': ['suspended', ...newsAndChurn('suspended')],
    'is cancelled': ['ending', ['cancelled'], []],
  },
  past_due: {
    'is charged': ['active', ['recovered'], []],
    'has a failed charge': unchanged('past_due'),
    // The grace period is counted from the first failure, which was yesterday.
    'has a charge that failed ten days ago': unchanged('past_due'),
    'is stopped': ['paused', ...newsAndChurn('paused')],
    'is stopped with a charge outstanding': ['suspended', ...newsAndChurn('suspended')],
    'is cancelled': ['ended', ...newsAndChurn('ended')],
  },
  suspended: {
    'is charged': ['active', ['recovered'], ['new 29000']],
    'has a failed charge': unchanged('suspended'),
    'has a charge that failed ten days ago': unchanged('suspended'),
    'is stopped': ['active', ['recovered'], ['new 29000']],
    'is stopped with a charge outstanding': unchanged('suspended'),
    'is cancelled': ['ended', ['ended'], []],
  },
  paused: {
    'is charged': unchanged('paused'),
    'has a failed charge': unchanged('paused'),
    'has a charge that failed ten days ago': unchanged('paused'),
    'is stopped': unchanged('paused'),
    'is stopped with a charge outstanding': unchanged('paused'),
    'is cancelled': ['ending', ['cancelled'], ['new 29000']],
  },
  ending: {
    'is charged': unchanged('ending'),
    'has a failed charge': unchanged('ending'),
    // The grace period is over, so the plan ends now instead of at `endsAt`.
    'has a charge that failed ten days ago': ['ended', ...newsAndChurn('ended')],
    'is stopped': unchanged('ending'),
    'is stopped with a charge outstanding': unchanged('ending'),
    'is cancelled': unchanged('ending'),
  },
  ended: {
    'is charged': unchanged('ended'),
    'has a failed charge': unchanged('ended'),
    'has a charge that failed ten days ago': unchanged('ended'),
    'is stopped': unchanged('ended'),
    'is stopped with a charge outstanding': unchanged('ended'),
    'is cancelled': unchanged('ended'),
  },
};

const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

describe.each(keysOf(outcomes))('when a plan is %s, and the provider says that it', (state) => {
  test.each(keysOf(readings))('%s', (reading) => {
    const { result, steps } = read(states[state], readings[reading]);
    expect([result.state, newsOf(steps), movementsOf(steps)]).toEqual(outcomes[state][reading]);
  });
});

describe('the grace period', () => {
  test.each([
    [0, 'past_due', ['charge_failed']],
    [2.9, 'past_due', []],
    [3, 'past_due', ['charge_failed_reminder']],
    [6.9, 'past_due', []],
    [7, 'past_due', ['charge_failed_reminder']],
    [9.9, 'past_due', []],
    [10, 'suspended', ['suspended']],
    [30, 'suspended', []],
  ])('on day %d', (days, state, news) => {
    const failure = { ...failed, failedAt: now };
    let facts = active;
    let steps: SubscriptionStep[] = [];
    for (const day of [0, 2.9, 3, 6.9, 7, 9.9, 10, 30].filter((one) => one <= days))
      ({ result: facts, steps } = read(facts, failure, { time: after(day) }));
    expect([facts.state, newsOf(steps)]).toEqual([state, news]);
  });

  test('sends one reminder for two that were missed', () => {
    const { result } = read(active, failed);
    expect(newsOf(read(result, failed, { time: after(8) }).steps)).toEqual(['charge_failed_reminder']);
  });

  test('is not over while a charge is pending', () => {
    const { result } = read(states.past_due, failed, { time: after(30), isChargePending: true });
    expect(result.state).toBe('past_due');
  });

  test('begins again after a recovery', () => {
    const recovered = read(states.past_due, good, { received: 3 }).result;
    const failedAgain = { ...failed, failedAt: after(30) };
    expect(read(recovered, failedAgain, { time: after(31) }).result).toMatchObject({
      state: 'past_due',
      pastDueSince: after(30),
      reminders: 0,
    });
  });
});

test('the first charge starts the recurring revenue', () => {
  const { result, steps } = read(states.pending, good, { received: 1 });
  expect([result.state, newsOf(steps), movementsOf(steps)]).toEqual(['active', [], ['new 29000']]);
});

test('the first charge starts the recurring revenue, even while another one is outstanding', () => {
  const { steps } = read({ ...states.past_due, cycles: 0 }, failed, { received: 1 });
  expect(movementsOf(steps)).toEqual(['new 29000']);
});

test('the paid period does not change when the provider reports no next charge', () => {
  const { result } = read(active, { ...good, nextChargeAt: null });
  expect(result).toMatchObject({ state: 'active', nextChargeAt: null, paidUntil: after(20) });
});

test('the end of a cancelled plan moves if the provider charges once more before our request to stop arrives', () => {
  const ending = {
    ...active,
    ...stopped,
    desiredStatusReason: 'ending',
    endsAt: after(0),
    paidUntil: after(0),
  } as const;
  const before = { ...ending, providerStatus: 'charging', nextChargeAt: after(0) } as const;
  const { result } = read(before, { ...good, nextChargeAt: after(31) }, { received: 3 });
  expect(result).toMatchObject({ state: 'ending', endsAt: after(31), paidUntil: after(31) });
});

describe('the cancellation of a paused plan', () => {
  const { paused } = states;
  const at = (facts: SubscriptionFacts, time = now) =>
    afterDueChanges(facts, { now: time, graceMs, isChargePending: false });
  const cancelled = at({ ...paused, ...afterCancellation(paused, now), endReason: 'customer' });

  test('puts it back into service until the paid period is over, and then ends it', () => {
    expect(cancelled).toMatchObject({ state: 'ending', endsAt: after(20), desiredStatus: 'stopped' });
    expect(read(cancelled, readings['is stopped']).result.state).toBe('ending');
    expect(at(cancelled, after(20))).toMatchObject({ state: 'ended', desiredStatus: 'cancelled' });
  });

  test('can be taken back by the customer, which does not lift the pause', () => {
    const customersActions = (facts: SubscriptionFacts) =>
      actionsOf(Object.assign(new SubscriptionEntity(), facts), 'customer');
    expect(customersActions(cancelled)).toEqual(['resume']);
    const takenBack = at({ ...cancelled, ...afterResumption(cancelled) });
    expect(takenBack).toMatchObject({
      state: 'paused',
      desiredStatus: 'stopped',
      endsAt: null,
      endReason: null,
    });
    expect(newsOf(stepsBetween(cancelled, takenBack))).toEqual(['paused']);
    expect(customersActions(takenBack)).toEqual(['cancel']);
    expect(at({ ...takenBack, ...afterResumption(takenBack) })).toMatchObject({
      ...{ state: 'active', desiredStatus: 'charging' },
    });
  });

  test('at the provider is final', () => {
    const { result } = read(paused, readings['is cancelled']);
    expect(result.state).toBe('ending');
    expect(actionsOf(Object.assign(new SubscriptionEntity(), result), 'admin')).toEqual(['cancel_now']);
  });
});

describe('a cancellation at the provider', () => {
  const cancelled = { ...good, status: 'cancelled', nextChargeAt: null } as const;

  test('ends the plan when the paid period is over', () => {
    const { result } = read(active, cancelled);
    expect(result).toMatchObject({ state: 'ending', endsAt: after(20), endReason: 'provider' });
    expect(read(result, cancelled, { time: after(20) }).result).toMatchObject({
      ...{ state: 'ended', endReason: 'provider', endedAt: after(20) },
    });
  });

  test('ends the plan a month after the last charge, even if we learn of that charge only together with the cancellation', () => {
    const due = { ...active, nextChargeAt: after(-1), paidUntil: after(-1) };
    expect(read(due, cancelled, { received: 3 }).result).toMatchObject({
      state: 'ending',
      endsAt: new Date('2027-03-28T10:00:00Z'),
    });
    const first = { ...states.pending, nextChargeAt: null, startedAt: after(-1) };
    expect(read(first, cancelled, { received: 1 }).result).toMatchObject({
      state: 'ending',
      endsAt: new Date('2027-03-28T10:00:00Z'),
    });
  });
});

describe('a change of the plan', () => {
  const change = { packageName: 'Premium', priceCents: 99_000 };
  const asked = { changePackage: 'Premium', changeCents: 99_000, changeBy: 'customer' } as const;
  const requested: SubscriptionFacts = { ...active, ...asked, changeAppliesFrom: after(20) };
  const approved = { ...good, terms: change };

  test('applies from the next charge on', () => {
    const { result, steps } = read(requested, approved);
    expect(result).toMatchObject({ changeApproved: true, priceCents: 29_000, changeAppliesFrom: after(20) });
    expect(newsOf(steps)).toEqual(['change_approved']);
    const later = read(result, { ...approved, nextChargeAt: after(51) }, { time: after(20), received: 3 });
    expect(later.result).toMatchObject({ packageName: 'Premium', priceCents: 99_000, changePackage: null });
    expect(movementsOf(later.steps)).toEqual(['expansion 70000']);
  });

  test('applies from the first charge at the new price on, even if we learn of the approval only afterwards', () => {
    const reading = { received: 3, newPriceChargedAt: after(-1) };
    const { result, steps } = read({ ...requested, changeAppliesFrom: after(-1) }, approved, reading);
    expect(result).toMatchObject({ packageName: 'Premium', priceCents: 99_000, changePackage: null });
    expect(movementsOf(steps)).toEqual(['expansion 70000']);
  });

  test('that was approved without our knowledge replaces what was requested since', () => {
    const { result } = read({ ...requested, changePackage: 'Gold', changeCents: 5_000 }, approved);
    expect(result).toMatchObject({ changePackage: 'Premium', changeCents: 99_000, changeApproved: true });
  });

  test('is not offered for approval before the provider has charged the last cycle at the old price', () => {
    const announced: SubscriptionFacts = {
      ...{ ...active, ...asked, changeBy: 'admin', nextChargeAt: now },
      ...{ changeApprovableFrom: now, changeAppliesFrom: after(31) },
    };
    const due = read(announced, { ...good, nextChargeAt: now });
    expect([due.result.changeApprovalRequested, newsOf(due.steps)]).toEqual([false, []]);
    const charged = read(announced, { ...good, nextChargeAt: after(31) });
    expect([charged.result.changeApprovalRequested, newsOf(charged.steps)]).toEqual([
      true,
      ['price_change_approvable'],
    ]);
  });

  test('is not offered for approval while a charge is outstanding', () => {
    const announced: SubscriptionFacts = {
      ...{ ...active, ...asked, changeBy: 'admin', state: 'past_due', pastDueSince: after(-1) },
      ...{ changeApprovableFrom: now, changeAppliesFrom: after(20) },
    };
    const outstanding = read(announced, failed);
    expect([outstanding.result.changeApprovalRequested, newsOf(outstanding.steps)]).toEqual([false, []]);
    const recovered = read(outstanding.result, good);
    expect(newsOf(recovered.steps)).toEqual(['recovered', 'price_change_approvable']);
  });
});

// --- Any sequence of events --------------------------------------------------------------------------------------------

type Act = (facts: SubscriptionFacts, time: Date) => Partial<SubscriptionFacts>;
/** An act changes nothing if `actionsOf` offers it to nobody. */
const acts: Record<string, Act> = {
  cancel: (facts, time) =>
    facts.state === 'ended' || facts.state === 'ending'
      ? {}
      : { ...afterCancellation(facts, time), endReason: 'customer' },
  resume: (facts) =>
    (isEnding(facts) || facts.desiredStatusReason === 'paused') && facts.providerStatus !== 'cancelled'
      ? afterResumption(facts)
      : {},
  pause: ({ state }) =>
    state === 'active' || state === 'past_due'
      ? { desiredStatus: 'stopped', desiredStatusReason: 'paused' }
      : {},
  cancel_now: ({ state }) => (state === 'ended' ? {} : { desiredStatus: 'cancelled', endReason: 'admin' }),
  change: ({ state, nextChargeAt, changeApproved }, time) =>
    state === 'active' && !changeApproved
      ? {
          ...{ changePackage: 'Premium', changeCents: 99_000, changeBy: 'customer' },
          ...{ changeApprovableFrom: time, changeAppliesFrom: nextChargeAt ?? time },
        }
      : {},
};

interface Event {
  hours: number;
  isReading: boolean;
  act: string;
  status: ProviderSubscription['status'];
  isPastDue: boolean;
  received: number;
  isChargePending: boolean;
  isChanged: boolean;
}
const events: fc.Arbitrary<Event[]> = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 24 * 12 }),
    isReading: fc.boolean(),
    act: fc.constantFrom(...Object.keys(acts)),
    status: fc.constantFrom('charging', 'charging', 'charging', 'stopped', 'cancelled'),
    isPastDue: fc.boolean(),
    received: fc.integer({ min: 0, max: 1 }),
    isChargePending: fc.boolean(),
    isChanged: fc.boolean(),
  }) as fc.Arbitrary<Event>,
  { maxLength: 30 },
);

interface Simulated {
  before: SubscriptionFacts;
  after: SubscriptionFacts;
  steps: SubscriptionStep[];
  event: Event;
  time: Date;
}

function simulate(drawn: readonly Event[]): Simulated[] {
  let facts: SubscriptionFacts = { ...states.pending };
  let time = now;
  return drawn.map((event) => {
    time = new Date(time.getTime() + event.hours * 3_600_000);
    const before = facts;
    const reading: ProviderSubscription = {
      ...{ ...good, status: event.status, isPastDue: event.isPastDue },
      terms: event.isChanged ? { packageName: 'Premium', priceCents: 99_000 } : null,
      nextChargeAt: new Date(time.getTime() + 15 * dayMs),
      failedAt: event.isPastDue ? time : null,
      outstandingCents: event.isPastDue ? facts.priceCents : 0,
    };
    const receivedCharges = facts.cycles + event.received;
    const changed = event.isReading
      ? afterReading(before, reading, { receivedCharges, now: time })
      : { ...before, ...acts[event.act]!(before, time) };
    facts = afterDueChanges(changed, { now: time, graceMs, isChargePending: event.isChargePending });
    return { before, after: facts, steps: stepsBetween(before, facts), event, time };
  });
}

describe('after any sequence of readings and actions', () => {
  test('a pause is not lifted by a cancellation that is taken back', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        let isPaused = false;
        for (const { before, after: facts, event } of simulate(drawn)) {
          if (facts.state === 'paused') isPaused = true;
          else if (before.state === 'paused' && facts.state !== 'ending') isPaused = false;
          else if (isPaused && facts.desiredStatus === 'charging')
            throw new Error(`${event.act} lifted the pause of a plan that was ${before.state}`);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('the movements add up to the recurring revenue', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        let sum = 0;
        for (const { after: facts, steps } of simulate(drawn)) {
          sum += balanceOf(steps);
          expect(sum).toBe(revenueOf(facts));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('an ended plan stays ended, and causes no more news', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        const simulated = simulate(drawn);
        const end = simulated.findIndex(({ after: facts }) => facts.state === 'ended');
        if (end < 0) return;
        for (const { after: facts, steps } of simulated.slice(end + 1)) {
          expect(facts).toMatchObject({ state: 'ended', endedAt: simulated[end]!.after.endedAt });
          expect(steps).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('no plan is suspended before the grace period is over, or while a charge is pending, unless the provider stopped it', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        for (const { before, after: facts, event, time } of simulate(drawn)) {
          if (facts.state !== 'suspended' || before.state === 'suspended') continue;
          if (event.isReading && event.status === 'stopped') continue;
          expect(event.isChargePending).toBe(false);
          expect(time.getTime() - facts.pastDueSince!.getTime()).toBeGreaterThanOrEqual(graceMs);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('no plan is in service after the grace period of a failed charge, unless a charge is pending', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        for (const { after: facts, event, time } of simulate(drawn)) {
          if (event.isChargePending || facts.pastDueSince === null || !isInService(facts)) continue;
          expect(time.getTime() - facts.pastDueSince.getTime()).toBeLessThan(graceMs);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a repeated reading changes nothing', () => {
    fc.assert(
      fc.property(events, (drawn) => {
        const last = simulate(drawn).at(-1);
        if (!last?.event.isReading) return;
        const reading = { ...good, status: last.event.status, terms: null };
        const { result: once } = read(last.after, reading, { time: last.time });
        const { result: twice, steps } = read(once, reading, { time: last.time });
        expect([twice, steps]).toEqual([once, []]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the facts do not depend on the sequence of earlier readings, as long as the provider charges the plan', () => {
    const readingNames = fc.array(fc.constantFrom<ReadingName>('is charged', 'has a failed charge'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(readingNames, (drawn) => {
        const end = (order: readonly ReadingName[]) => {
          let facts = active;
          for (const name of order) facts = read(facts, readings[name]).result;
          return read(facts, good, { received: 3 }).result;
        };
        expect(end(drawn)).toEqual(end([...drawn].reverse()));
      }),
    );
  });
});
