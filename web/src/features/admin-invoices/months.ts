const name = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** The months (YYYY-MM) between two days, newest first: at least the later one's. */
export function monthsFrom(first: string, last: string): string[] {
  const end = monthOf(last);
  const start = Math.min(monthOf(first), end);
  return Array.from({ length: end - start + 1 }, (_, back) => {
    const month = end - back;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
}

/** `2026-02` → `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** `2026-02` → `February 2026`. */
export const monthName = (month: string): string => name.format(new Date(`${month}-01T00:00:00Z`));
