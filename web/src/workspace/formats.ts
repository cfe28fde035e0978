const whole = new Intl.NumberFormat('en-US');
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** `1290` → `"1,290"`. */
export const count = (value: number): string => whole.format(value);

/** In the reader's time zone: `"Nov 21, 2026"`. */
export const date = (iso: string): string => day.format(new Date(iso));

/** In the reader's time zone: `"Nov 21, 2026, 6:32 AM"`. */
export const dateTime = (iso: string): string => moment.format(new Date(iso));
