import { date, dateTime } from './formats.js';

/** A date, with `time` also the time of day, in the reader's time zone. The exact time is in the markup, and the time of day is shown on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {time ? dateTime(at) : date(at)}
    </time>
  );
}
