import { describe, expect, test } from '@jest/globals';
import { type Frequency, nextBillingTime } from './billing-dates.js';

const monthly = { unit: 'MONTH', count: 1 } as const;

function datesOf(start: string, frequency: Frequency, count: number): string[] {
  const anchor = Date.parse(start);
  const dates: string[] = [];
  for (let after = anchor; dates.length < count;) {
    after = nextBillingTime(anchor, frequency, after);
    expect(new Date(after).toISOString()).toMatch(/T10:00:00\.000Z$/);
    dates.push(new Date(after).toISOString().slice(0, 10));
  }
  return dates;
}

const daysByAnchor: [start: string, days: number[]][] = [
  ['2027-01-28', Array<number>(24).fill(28)],
  [
    '2027-01-29',
    [28, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29],
  ],
  [
    '2027-01-30',
    [28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 29, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30],
  ],
  [
    '2027-01-31',
    [28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31],
  ],
  [
    '2028-02-29',
    [29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 28, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 28],
  ],
];

describe('billing times', () => {
  test.each(daysByAnchor)(
    'keep the day of %s for 24 months, or use the last day of a shorter month',
    (start, days) => {
      const startTime = new Date(`${start}T12:00:00Z`);
      const expected = days.map((day, index) => {
        const month = new Date(Date.UTC(startTime.getUTCFullYear(), startTime.getUTCMonth() + 1 + index, 1));
        return `${month.toISOString().slice(0, 7)}-${day}`;
      });
      expect(datesOf(startTime.toISOString(), monthly, 24)).toEqual(expected);
    },
  );

  test.each<[Frequency, string[]]>([
    [{ unit: 'DAY', count: 10 }, ['2028-03-10', '2028-03-20']],
    [{ unit: 'WEEK', count: 2 }, ['2028-03-14', '2028-03-28']],
    [{ unit: 'MONTH', count: 3 }, ['2028-05-29', '2028-08-29']],
    [{ unit: 'YEAR', count: 1 }, ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ])('follow the frequency %j', (frequency, expected) => {
    expect(datesOf('2028-02-29T23:59:59Z', frequency, expected.length)).toEqual(expected);
  });

  test('are never on the day the subscription starts, even if it starts before 10:00 UTC', () => {
    expect(datesOf('2027-01-31T00:00:00Z', monthly, 1)).toEqual(['2027-02-28']);
  });
});
