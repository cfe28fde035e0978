/** YYYY-MM-DD. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `November 21, 2026`, for a day (YYYY-MM-DD) or a moment. */
export function utcDayInWords(moment: Date | string): string {
  return longDay.format(new Date(moment));
}
