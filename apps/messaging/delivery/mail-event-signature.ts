import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseMailSignature } from '#libs/contracts';

/**
 * Whether the body was signed with the secret, at a time that is at most five minutes from now.
 *
 * @param now milliseconds
 */
export function isSigned(body: Buffer, signature: string, secret: string, now: number): boolean {
  const fields = parseMailSignature(signature, now);
  if (!fields) return false;
  const mac = createHmac('sha256', secret).update(`${fields.timestamp}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(fields.mac, 'hex'), mac);
}
