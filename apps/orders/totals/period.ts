import type { SalesPeriod } from '#libs/contracts';

/* Days are YYYY-MM-DD, of no time zone: an order has the day that its customer's calendar said. */

const moment = (day: string) => new Date(`${day}T00:00:00Z`);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The UTC day so many days earlier. */
export function daysBefore(today: Date, days: number): string {
  return dayOf(new Date(today.getTime() - days * 86_400_000));
}

/** First day of the period that a day lies in: itself, its Monday, or the first of its month. */
export function startOfPeriod(day: string, by: SalesPeriod): string {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 7)}-01`;
  const at = moment(day);
  return daysBefore(at, (at.getUTCDay() + 6) % 7);
}

/** First days of all periods from one day to another; undefined when there are more than `atMost`. */
export function periodsOf(from: string, to: string, by: SalesPeriod, atMost: number): string[] | undefined {
  const starts: string[] = [];
  for (let start = startOfPeriod(from, by); start <= to; start = next(start, by)) {
    if (starts.length === atMost) return undefined;
    starts.push(start);
  }
  return starts;
}

function next(start: string, by: SalesPeriod): string {
  const at = moment(start);
  if (by === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
  else at.setUTCDate(at.getUTCDate() + (by === 'week' ? 7 : 1));
  return dayOf(at);
}
