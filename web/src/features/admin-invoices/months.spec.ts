import { expect, test } from '@jest/globals';
import { lastDayOf, monthName, monthsFrom } from './months.js';

test('the months between two days are the newest first', () => {
  expect(monthsFrom('2025-11-22', '2026-02-01')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
  expect(monthsFrom('2026-11-01', '2026-11-30')).toEqual(['2026-11']);
});

test('there is a month even if the first day is after the last', () => {
  expect(monthsFrom('2026-12-01', '2026-11-30')).toEqual(['2026-11']);
});

test('a month ends with its last day', () => {
  expect(['2026-02', '2028-02', '2026-12'].map(lastDayOf)).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ]);
});

test('a month has a name', () => {
  expect(monthName('2026-11')).toBe('November 2026');
});
