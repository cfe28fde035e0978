import { createHmac, timingSafeEqual } from 'node:crypto';
import { readMailSignature } from '#libs/contracts';

/**
 * Whether the body was signed with the secret, within the last five minutes.
 *
 * @param now milliseconds
 */
export function isSigned(body: Buffer, signature: string, secret: string, now: number): boolean {
  const read = readMailSignature(signature, now);
  if (!read) return false;
  const mac = createHmac('sha256', secret).update(`${read.moment}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(read.mac, 'hex'), mac);
}
