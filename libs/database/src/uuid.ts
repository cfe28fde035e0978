import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562): ordered by creation time, so rows with such a key are appended to their index. It is an identifier, not a secret. */
export function uuidv7(): string {
  return v7();
}
