import { v7 } from 'uuid';

/**
 * A new UUIDv7 (RFC 9562): sortable by the millisecond it was made in, so rows keyed by it append to their index.
 * It is an identifier, not a secret.
 */
export function uuidv7(): string {
  return v7();
}
