import { date, dateTime } from './formats.js';

/** A date in the reader's time zone; the exact time is in the markup and shown on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {time ? dateTime(at) : date(at)}
    </time>
  );
}
