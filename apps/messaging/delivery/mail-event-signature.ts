import { createHmac, timingSafeEqual } from 'node:crypto';
import { readMailSignature } from '#libs/contracts';

/**
 * Whether whoever knows the secret signed these bytes just now.
 *
 * @param now milliseconds
 */
export function isSigned(body: Buffer, signature: string, secret: string, now: number): boolean {
  const read = readMailSignature(signature, now);
  return (
    read !== undefined && timingSafeEqual(Buffer.from(read.mac, 'hex'), macOf(body, read.moment, secret))
  );
}

/** As whoever tells of events signs. */
export function signatureOf(body: Buffer, secret: string, now: number): string {
  const moment = String(Math.floor(now / 1_000));
  return `t=${moment},v1=${macOf(body, moment, secret).toString('hex')}`;
}

function macOf(body: Buffer, moment: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${moment}.`).update(body).digest();
}
