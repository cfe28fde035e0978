/** The months (YYYY-MM) from `first` to `last`, newest first. If a wrong clock puts `last` before `first`, the result is the month of `first`. */
export function monthsBetween(first: Date, last: Date, timeZone: string): string[] {
  const parts = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'numeric', timeZone });
  /** Months since the year 0. */
  const monthNumberOf = (at: Date) => {
    const part = (type: string) => Number(parts.formatToParts(at).find((one) => one.type === type)?.value);
    return part('year') * 12 + part('month') - 1;
  };
  const start = monthNumberOf(first);
  const end = Math.max(start, monthNumberOf(last));
  return Array.from({ length: end - start + 1 }, (_, back) => {
    const month = end - back;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

/** `2026-02` → `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}
