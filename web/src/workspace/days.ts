/** In the reader's time zone: `2026-11-22`. */
export function dayOf(at: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** When a day of the reader's calendar (YYYY-MM-DD) begins and ends. Text that is not a date is returned unchanged. */
export const startOfDay = (day: string): string => momentOf(day, 'T00:00:00');
export const endOfDay = (day: string): string => momentOf(day, 'T23:59:59.999');

function momentOf(day: string, time: string): string {
  const moment = new Date(`${day}${time}`);
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString();
}

/** Whether the text is a day of the calendar, such as `"2026-11-21"`. `"2026-02-30"` is not one. */
export const isDay = (text: string | null): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && dayOf(new Date(`${text}T00:00:00`)) === text;
