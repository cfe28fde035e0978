import type { SalesPeriod } from '#libs/contracts';
import { dayOf, isDay } from '../../workspace/days.js';
import { formatDay } from '../../workspace/formats.js';

export interface SalesRange {
  by: SalesPeriod;
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
}

/** The default range: this many days, weeks or months, including the one in which the range ends. */
const defaultCounts: Record<SalesPeriod, number> = { day: 30, week: 13, month: 12 };

const isPeriod = (text: string | null): text is SalesPeriod =>
  text !== null && Object.hasOwn(defaultCounts, text);

/** The range that the address asks for. By default, it ends today in the browser's time zone. */
export function salesRangeOf(search: URLSearchParams, now = new Date()): SalesRange {
  const asked = search.get('by');
  const by = isPeriod(asked) ? asked : 'day';
  const to = search.get('to');
  const last = isDay(to) ? to : dayOf(now);
  const from = search.get('from');
  return { by, from: isDay(from) ? from : defaultStart(last, by), to: last };
}

function defaultStart(last: string, by: SalesPeriod): string {
  const [year = 0, month = 1, day = 1] = last.split('-').map(Number);
  if (by === 'month') return dayOf(new Date(year, month - defaultCounts.month, 1));
  const days = by === 'week' ? defaultCounts.week * 7 - 7 : defaultCounts.day - 1;
  return dayOf(new Date(year, month - 1, day - days));
}

const inUtc = { timeZone: 'UTC' } as const;
const dayFormat = new Intl.DateTimeFormat('en-US', { ...inUtc, month: 'short', day: 'numeric' });
const monthFormat = new Intl.DateTimeFormat('en-US', { ...inUtc, month: 'short', year: 'numeric' });

const utcMidnight = (day: string) => new Date(`${day}T00:00:00Z`);

/** `Nov 21`, `Nov 2026`. */
export const shortPeriodName = (from: string, by: SalesPeriod): string =>
  (by === 'month' ? monthFormat : dayFormat).format(utcMidnight(from));

/** `Nov 21, 2026`, `Week of Nov 16, 2026`, `Nov 2026`. */
export function longPeriodName(from: string, by: SalesPeriod): string {
  if (by === 'month') return monthFormat.format(utcMidnight(from));
  return by === 'week' ? `Week of ${formatDay(from)}` : formatDay(from);
}

/** The smallest round number that is at least `value`: the top line of a chart. */
export function chartTop(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((top) => top >= value) ?? 10 * unit;
}
