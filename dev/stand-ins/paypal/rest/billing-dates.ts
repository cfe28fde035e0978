export interface Frequency {
  unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  count: number;
}

/**
 * The first billing time after a time, for a subscription that started at `anchor`: 10:00 UTC, some periods after the anchor's day. With
 * months and years, it is the anchor's day of the month, or the last day of a shorter month. Periods are always counted from the anchor, so
 * that 31 January is followed by 28 February and 31 March.
 */
export function nextBillingTime(anchor: number, { unit, count }: Frequency, after: number): number {
  for (let periods = count; ; periods += count) {
    const time = billingTime(new Date(anchor), unit, periods);
    if (time > after) return time;
  }
}

const hour = 10;

function billingTime(anchor: Date, unit: Frequency['unit'], periods: number): number {
  const [year, month, day] = [anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate()];
  if (unit === 'DAY' || unit === 'WEEK')
    return Date.UTC(year, month, day + periods * (unit === 'WEEK' ? 7 : 1), hour);
  const inMonth = month + periods * (unit === 'YEAR' ? 12 : 1);
  const lastDay = new Date(Date.UTC(year, inMonth + 1, 0)).getUTCDate();
  return Date.UTC(year, inMonth, Math.min(day, lastDay), hour);
}
