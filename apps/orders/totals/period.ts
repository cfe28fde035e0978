import type { SalesPeriod } from '#libs/contracts';
import { addSeconds, utcDay } from '#libs/runtime';

/* Days are YYYY-MM-DD without a time zone. The day of an order is usually the customer's (`orderDay` in order/order-date.ts). */

const utcMidnight = (day: string) => new Date(`${day}T00:00:00Z`);

export function daysBefore(date: Date, days: number): string {
  return utcDay(addSeconds(date, -days * 86_400));
}

/** The day itself, its Monday, or the first of its month. */
export function startOfPeriod(day: string, by: SalesPeriod): string {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 7)}-01`;
  const at = utcMidnight(day);
  return daysBefore(at, (at.getUTCDay() + 6) % 7);
}

/** The first day of each period; undefined if there are more than `max`. */
export function periodStarts(from: string, to: string, by: SalesPeriod, max: number): string[] | undefined {
  const starts: string[] = [];
  for (let start = startOfPeriod(from, by); start <= to; start = next(start, by)) {
    if (starts.length === max) return undefined;
    starts.push(start);
  }
  return starts;
}

function next(start: string, by: SalesPeriod): string {
  const at = utcMidnight(start);
  if (by === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
  else at.setUTCDate(at.getUTCDate() + (by === 'week' ? 7 : 1));
  return utcDay(at);
}
