import { expect, test } from '@jest/globals';
import { daysBefore, periodStarts, startOfPeriod } from './period.js';

test.each([
  ['day', '2026-11-21', '2026-11-21'],
  ['week', '2026-11-21', '2026-11-16'],
  ['week', '2026-11-16', '2026-11-16'],
  ['week', '2026-11-22', '2026-11-16'],
  ['week', '2027-01-01', '2026-12-28'],
  ['month', '2026-11-21', '2026-11-01'],
] as const)('the %s of %s begins on %s', (by, day, start) => {
  expect(startOfPeriod(day, by)).toBe(start);
});

test.each([
  ['day', '2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
  ['week', '2026-12-31', '2027-01-11', ['2026-12-28', '2027-01-04', '2027-01-11']],
  ['month', '2026-11-30', '2027-01-01', ['2026-11-01', '2026-12-01', '2027-01-01']],
  ['day', '2026-11-21', '2026-11-21', ['2026-11-21']],
] as const)('every %s from %s to %s is listed', (by, from, to, starts) => {
  expect(periodStarts(from, to, by, 10)).toEqual(starts);
});

test('more periods than the limit give undefined', () => {
  expect(periodStarts('0001-01-01', '9999-12-31', 'day', 400)).toBeUndefined();
  expect(periodStarts('2026-01-01', '2026-12-31', 'month', 12)).toHaveLength(12);
  expect(periodStarts('2026-01-01', '2027-01-01', 'month', 12)).toBeUndefined();
});

test('subtracting days follows the calendar', () => {
  expect(daysBefore(new Date('2026-03-01T23:59:00Z'), 1)).toBe('2026-02-28');
});
