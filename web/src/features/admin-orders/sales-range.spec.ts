import { expect, test } from '@jest/globals';
import { chartTop, longPeriodName, salesRangeOf, shortPeriodName } from './sales-range.js';

const now = new Date(2026, 10, 21, 23, 30);

test.each([
  ['', { by: 'day', from: '2026-10-23', to: '2026-11-21' }],
  ['by=week', { by: 'week', from: '2026-08-29', to: '2026-11-21' }],
  ['by=month', { by: 'month', from: '2025-12-01', to: '2026-11-21' }],
  ['by=month&to=2024-02-29', { by: 'month', from: '2023-03-01', to: '2024-02-29' }],
  ['from=2026-01-01&to=2026-01-31', { by: 'day', from: '2026-01-01', to: '2026-01-31' }],
  ['from=2026-13-01&to=2026-02-30', { by: 'day', from: '2026-10-23', to: '2026-11-21' }],
  ['by=hour&from=yesterday&to=x', { by: 'day', from: '2026-10-23', to: '2026-11-21' }],
])('the address ?%s selects %j', (search, range) => {
  expect(salesRangeOf(new URLSearchParams(search), now)).toEqual(range);
});

test('periods are named by their first day or their month', () => {
  expect(shortPeriodName('2026-11-21', 'day')).toBe('Nov 21');
  expect(shortPeriodName('2026-11-01', 'month')).toBe('Nov 2026');
  expect(longPeriodName('2026-11-16', 'week')).toBe('Week of Nov 16, 2026');
});

test.each([
  [0, 1],
  [1, 1],
  [290, 500],
  [999, 1000],
  [2100, 2500],
  [1000, 1000],
  [99_999.99, 100_000],
])('for values of up to %d, the highest line of the chart is at %d', (value, top) => {
  expect(chartTop(value)).toBe(top);
});
