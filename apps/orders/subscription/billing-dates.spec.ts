import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstChargeAfterDays, chargeDate } from './billing-dates.js';

const dayMs = 86_400_000;
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
const day = (date: Date) => date.toISOString().slice(0, 10);
const at = (text: string) => new Date(`${text}T10:00:00.000Z`);

const beginnings = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
});

describe('the day of a later charge', () => {
  test.each([
    [28, '2027-01-28', ['2027-02-28', '2027-03-28', '2027-04-28']],
    [29, '2027-01-29', ['2027-02-28', '2027-03-29', '2027-04-29']],
    [30, '2027-01-30', ['2027-02-28', '2027-03-30', '2027-04-30']],
    [31, '2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30']],
    [31, '2028-01-31', ['2028-02-29', '2028-03-31', '2028-04-30']],
    [31, '2027-02-28', ['2027-03-31', '2027-04-30', '2027-05-31']],
    [29, '2028-02-29', ['2028-03-29', '2028-04-29', '2028-05-29']],
    [31, '2027-11-30', ['2027-12-31', '2028-01-31', '2028-02-29']],
  ])('of a plan that began on day %i: after the charge on %s come those on %j', (anchor, from, expected) => {
    expect([1, 2, 3].map((months) => day(chargeDate(at(from), months, anchor)))).toEqual(expected);
  });

  test('of a plan that began on 29 February is that day in leap years only', () => {
    const years = [12, 24, 36, 48].map((months) => day(chargeDate(at('2028-02-29'), months, 29)));
    expect(years).toEqual(['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']);
  });

  test('follows the previous charge instead of the plan’s first day, if a provider in another time zone charged on another day', () => {
    expect(chargeDate(at('2027-03-05'), 0, 4)).toEqual(at('2027-03-05'));
    expect(chargeDate(at('2027-03-05'), 1, 4)).toEqual(at('2027-04-05'));
    expect(chargeDate(at('2027-03-01'), 0, 31)).toEqual(at('2027-03-01'));
  });

  test('neither skips nor repeats a month, and keeps the time of day', () => {
    fc.assert(
      fc.property(beginnings, fc.integer({ min: 0, max: 48 }), (began, months) => {
        const anchor = began.getUTCDate();
        const charge = chargeDate(began, months, anchor);
        expect(monthOf(charge)).toBe(monthOf(began) + months);
        expect(charge.getTime() % dayMs).toBe(began.getTime() % dayMs);
        expect(charge.getUTCDate()).toBeGreaterThanOrEqual(Math.min(anchor, 28));
        // Later charges are the same, whichever charge they are counted from.
        expect(chargeDate(charge, 5, anchor)).toEqual(chargeDate(began, months + 5, anchor));
      }),
    );
  });
});

describe('the first charge at a price that has to be announced 30 days ahead', () => {
  test.each([
    ['31 days before the next charge', '2027-03-31', '2027-02-28', '2027-03-31', null],
    ['30 days before the next charge, to the second', '2027-03-31', '2027-03-01', '2027-03-31', null],
    ['29 days before the next charge', '2027-03-31', '2027-03-02', '2027-04-30', '2027-03-31'],
    ['the day before a charge in February', '2027-02-28', '2027-02-27', '2027-03-31', '2027-02-28'],
    ['28 days before a charge in February', '2027-02-28', '2027-01-31', '2027-03-31', '2027-02-28'],
  ])('when it is announced %s', (_what, nextChargeAt, now, charge, chargeBefore) => {
    const plan = { nextChargeAt: at(nextChargeAt), startedAt: at('2027-01-31') };
    expect(firstChargeAfterDays(plan, at(now), 30)).toEqual({
      charge: at(charge),
      chargeBefore: chargeBefore && at(chargeBefore),
    });
  });

  test('is at least 30 days away, and the one before is not', () => {
    fc.assert(
      fc.property(beginnings, fc.nat({ max: 24 }), fc.nat({ max: 40 * dayMs }), (startedAt, months, ms) => {
        const nextChargeAt = chargeDate(startedAt, months, startedAt.getUTCDate());
        const now = new Date(nextChargeAt.getTime() - ms);
        const { charge, chargeBefore } = firstChargeAfterDays({ nextChargeAt, startedAt }, now, 30);
        const earliest = now.getTime() + 30 * dayMs;
        expect(charge.getTime()).toBeGreaterThanOrEqual(earliest);
        expect(chargeBefore === null).toBe(charge.getTime() === nextChargeAt.getTime());
        expect(chargeBefore?.getTime() ?? 0).toBeLessThan(earliest);
      }),
    );
  });
});
