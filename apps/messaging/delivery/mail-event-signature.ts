import { createHmac, timingSafeEqual } from 'node:crypto';
import { readMailSignature } from '#libs/contracts';

/**
 * Whether the body was signed with the secret, within the last five minutes.
 *
 * @param now milliseconds
 */
export function isSigned(body: Buffer, signature: string, secret: string, now: number): boolean {
  const read = readMailSignature(signature, now);
  return (
    read !== undefined && timingSafeEqual(Buffer.from(read.mac, 'hex'), macOf(body, read.moment, secret))
  );
}

/** The signature that a provider sends with a body. */
export function signatureOf(body: Buffer, secret: string, now: number): string {
  const moment = String(Math.floor(now / 1_000));
  return `t=${moment},v1=${macOf(body, moment, secret).toString('hex')}`;
}

function macOf(body: Buffer, moment: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${moment}.`).update(body).digest();
}
