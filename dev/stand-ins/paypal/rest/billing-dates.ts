export interface Frequency {
  unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  count: number;
}

/**
 * The first billing time later than `after`, for a subscription that started at `anchor`. Billing times are at 10:00 UTC, a whole number of periods
 * after the anchor's day. With months and years, they are on the anchor's day of the month, or on the last day of a shorter month. Periods are always
 * counted from the anchor, so that 31 January is followed by 28 February and 31 March.
 */
export function nextBillingTime(anchor: number, { unit, count }: Frequency, after: number): number {
  for (let units = count; ; units += count) {
    const time = billingTime(new Date(anchor), unit, units);
    if (time > after) return time;
  }
}

const billingHourUtc = 10;

function billingTime(anchor: Date, unit: Frequency['unit'], units: number): number {
  const [year, month, day] = [anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate()];
  if (unit === 'DAY' || unit === 'WEEK')
    return Date.UTC(year, month, day + units * (unit === 'WEEK' ? 7 : 1), billingHourUtc);
  const inMonth = month + units * (unit === 'YEAR' ? 12 : 1);
  const lastDay = new Date(Date.UTC(year, inMonth + 1, 0)).getUTCDate();
  return Date.UTC(year, inMonth, Math.min(day, lastDay), billingHourUtc);
}
