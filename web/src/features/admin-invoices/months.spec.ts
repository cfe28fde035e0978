import { expect, test } from '@jest/globals';
import { lastDayOf, monthsBetween } from './months.js';

test('the months between two moments are listed newest first', () => {
  const months = monthsBetween(new Date('2025-11-22T12:00:00Z'), new Date('2026-02-01T12:00:00Z'), 'UTC');
  expect(months).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
});

test('a month begins in the seller’s time zone', () => {
  const evening = new Date('2026-11-30T23:30:00Z');
  expect(monthsBetween(evening, evening, 'UTC')).toEqual(['2026-11']);
  expect(monthsBetween(evening, evening, 'Europe/Berlin')).toEqual(['2026-12']);
});

test('a last moment before the first one gives the month of the first', () => {
  const months = monthsBetween(new Date('2026-11-22T12:00:00Z'), new Date('2026-09-01T12:00:00Z'), 'UTC');
  expect(months).toEqual(['2026-11']);
});

test('a month has the right last day, even February in a leap year', () => {
  expect(['2026-02', '2028-02', '2026-12'].map(lastDayOf)).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ]);
});
