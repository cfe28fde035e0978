import { date, dateTime } from './formats.js';

/** A moment in the reader's time zone; the exact one is there for machines and on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {time ? dateTime(at) : date(at)}
    </time>
  );
}
