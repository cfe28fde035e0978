import { v7 } from 'uuid';

/** RFC 9562: ordered by creation time, so new rows are appended to their index. An identifier, not a secret. */
export function uuidv7(): string {
  return v7();
}
