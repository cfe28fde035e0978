import { formatDate, formatDateTime } from './formats.js';

/** In the reader's time zone. The time of day is always shown on hover. */
export function When({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {time ? formatDateTime(at) : formatDate(at)}
    </time>
  );
}
