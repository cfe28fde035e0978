import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextInquiryAt } from './inquiry-schedule.js';
import { SubscriptionEntity } from './subscription.entity.js';

const now = new Date('2027-03-01T10:00:00Z');
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const graceMs = 10 * dayMs;
const after = (ms: number) => new Date(now.getTime() + ms);

function subscription(facts: Partial<SubscriptionEntity> = {}): SubscriptionEntity {
  return Object.assign(new SubscriptionEntity(), { startedAt: after(-40 * dayMs), state: 'active' }, facts);
}
const next = (facts: Partial<SubscriptionEntity>) => nextInquiryAt(subscription(facts), now, graceMs);

describe('the next inquiry', () => {
  test.each<[string, Partial<SubscriptionEntity>, number | null]>([
    ['in a day if nothing is due', { nextChargeAt: after(20 * dayMs) }, dayMs],
    ['soon after the next charge', { nextChargeAt: after(minuteMs) }, 11 * minuteMs],
    [
      'in ten minutes if a charge is due that the provider does not list yet',
      { nextChargeAt: now },
      10 * minuteMs,
    ],
    ['in a day if a charge has been due for a day', { nextChargeAt: after(-dayMs) }, dayMs],
    ['soon after a failed charge is tried again', { retryAt: after(minuteMs) }, 11 * minuteMs],
    ['when a reminder is due', { pastDueSince: after(-3 * dayMs + minuteMs) }, minuteMs],
    ['when the grace period is over', { pastDueSince: after(-10 * dayMs + minuteMs) }, minuteMs],
    [
      'when the plan ends',
      {
        desiredStatus: 'stopped',
        providerStatus: 'stopped',
        desiredStatusReason: 'ending',
        endsAt: after(minuteMs),
      },
      minuteMs,
    ],
    [
      'in a minute while the status at the provider is not the desired one',
      { desiredStatus: 'stopped' },
      minuteMs,
    ],
    [
      'in an hour if the provider has refused the desired status',
      { desiredStatus: 'stopped', problem: 'Refused' },
      60 * minuteMs,
    ],
    ['when a change applies', { changeAppliesFrom: after(minuteMs) }, minuteMs],
    ['when an announced price can be approved', { changeApprovableFrom: after(minuteMs) }, minuteMs],
    [
      'in a day once the customer was told that the price can be approved',
      { changeApprovableFrom: after(minuteMs), changeApprovalRequested: true },
      dayMs,
    ],
    [
      'in a day if the plan ended less than 35 days ago',
      { desiredStatus: 'cancelled', providerStatus: 'cancelled', endedAt: after(-34 * dayMs) },
      dayMs,
    ],
    [
      'never, once the plan ended 35 days ago',
      { desiredStatus: 'cancelled', providerStatus: 'cancelled', endedAt: after(-35 * dayMs) },
      null,
    ],
  ])('is %s', (_what, facts, inMs) => {
    expect(next(facts)).toEqual(inMs === null ? null : after(inMs));
  });

  test('is in the future, and at most a day ahead, for any plan that has not ended', () => {
    const moment = fc.option(fc.integer({ min: -60 * dayMs, max: 60 * dayMs }).map(after));
    const facts = fc.record({
      desiredStatus: fc.constantFrom('charging', 'stopped', 'cancelled'),
      providerStatus: fc.constantFrom('charging', 'stopped', 'cancelled'),
      problem: fc.constantFrom(null, 'Refused'),
      nextChargeAt: moment,
      retryAt: moment,
      endsAt: moment,
      pastDueSince: moment,
      changeApprovableFrom: moment,
      changeAppliesFrom: moment,
      changeApprovalRequested: fc.boolean(),
    }) as fc.Arbitrary<Partial<SubscriptionEntity>>;
    fc.assert(
      fc.property(facts, (drawn) => {
        const inMs = next(drawn)!.getTime() - now.getTime();
        expect(inMs).toBeGreaterThan(0);
        expect(inMs).toBeLessThanOrEqual(dayMs);
      }),
    );
  });
});
