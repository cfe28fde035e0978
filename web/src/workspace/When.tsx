import { date, dateTime } from './formats.js';

/** A date, or with `time` a date and a time of day, in the reader's time zone. The exact time is in the markup, and date and time are shown on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {time ? dateTime(at) : date(at)}
    </time>
  );
}
