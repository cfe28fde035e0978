/** The calendar day in UTC, YYYY-MM-DD. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A day (YYYY-MM-DD), or the day of a moment in UTC, as people read it: `November 21, 2026`. */
export function utcDayInWords(moment: Date | string): string {
  return longDay.format(new Date(moment));
}
