import { createHash } from 'node:crypto';
import { type Actor, DomainError, type Operation } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The command id for an `Idempotency-Key`, by which the service's inbox recognizes a repetition. It is a UUID (version 8, RFC 9562) made from the
 * SHA-256 of the key, the caller (the account or, for a visitor, the client network), and the operation's method and path pattern. It does not depend
 * on the values of path parameters, so the inbox refuses a key that is used again for another record. Throws INVALID_INPUT for a malformed key.
 */
export function commandIdOf(
  key: string | string[],
  { method, path }: Operation,
  actor: Actor,
  address: string,
): string {
  if (typeof key !== 'string' || !visibleAscii.test(key)) {
    throw DomainError.invalid([
      { field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  }
  const caller = 'accountId' in actor ? `account ${actor.accountId}` : `address ${clientNetwork(address)}`;
  const hash = createHash('sha256')
    .update(JSON.stringify([caller, method, path, key]))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
