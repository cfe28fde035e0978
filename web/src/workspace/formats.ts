const number = new Intl.NumberFormat('en-US');
const localDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const calendarDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const calendarMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** `1290` → `"1,290"`. */
export const formatNumber = (value: number): string => number.format(value);

/** `counted(1, 'question')` → `"1 question"`. */
export const counted = (amount: number, one: string, many = `${one}s`): string =>
  `${formatNumber(amount)} ${amount === 1 ? one : many}`;

/** `"first button"` → `"First button"`. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** In the reader's time zone: `"Nov 21, 2026"`. */
export const formatDate = (iso: string): string => localDay.format(new Date(iso));

/** In the reader's time zone: `"Nov 21, 2026, 6:32 AM"`. */
export const formatDateTime = (iso: string): string => moment.format(new Date(iso));

/** A day of the calendar, the same for every reader: `"2026-11-21"` → `"Nov 21, 2026"`. */
export const formatDay = (yyyyMmDd: string): string => calendarDay.format(new Date(yyyyMmDd));

/** The date of an order: `"11/21/2026"` → `"Nov 21, 2026"`. */
export function formatOrderDay(orderDate: string): string {
  const [month, dayOfMonth, year] = orderDate.split('/');
  return formatDay(`${year}-${month}-${dayOfMonth}`);
}

/** A month of the calendar: `"2026-11"` → `"November 2026"`. */
export const formatMonth = (yyyyMm: string): string => calendarMonth.format(new Date(yyyyMm));

const timeOfDay = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

/** In the reader's time zone: `"6:32 AM"`. */
export const formatTime = (iso: string): string => timeOfDay.format(new Date(iso));
