import { expect, test } from '@jest/globals';
import { daysUntilSameDayNextMonth, daysUntil } from './days-ahead.js';

test.each([
  ['2026-11-22T12:00:00.000Z', '2026-11-22T12:00:00.000Z', 0],
  ['2026-11-22T12:00:00.000Z', '2026-11-22T12:00:01.000Z', 1],
  ['2026-11-22T12:00:00.000Z', '2026-12-22T12:00:00.000Z', 30],
  ['2026-11-22T12:00:00.000Z', '2026-11-01T12:00:00.000Z', 0],
])(
  'the number of days from %s until %s, rounded up, or 0 if the moment has passed, is %i',
  (now, moment, days) => {
    expect(daysUntil(now, moment)).toBe(days);
  },
);

test.each([
  ['2026-11-22T23:30:00.000Z', 30],
  ['2026-12-22T00:00:00.000Z', 31],
  ['2027-01-31T12:00:00.000Z', 28],
  ['2028-01-31T12:00:00.000Z', 29],
  ['2027-02-28T12:00:00.000Z', 28],
])('a month from %s is %i days', (now, days) => {
  expect(daysUntilSameDayNextMonth(now)).toBe(days);
});
