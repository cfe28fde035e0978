import { date, dateTime } from './formats.js';

/** In the reader's time zone. The time of day is always shown on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {time ? dateTime(at) : date(at)}
    </time>
  );
}
