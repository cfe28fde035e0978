import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a signature may be, either way: nobody who sees one can use it later. */
const toleranceSeconds = 300;

const pattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Whether whoever knows the secret signed these bytes just now: `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`.
 *
 * @param now milliseconds
 */
export function isSigned(body: Buffer, signature: string, secret: string, now: number): boolean {
  const [, moment, mac] = pattern.exec(signature) ?? [];
  if (moment === undefined || mac === undefined) return false;
  if (Math.abs(now / 1_000 - Number(moment)) > toleranceSeconds) return false;
  return timingSafeEqual(Buffer.from(mac, 'hex'), macOf(body, moment, secret));
}

/** As whoever tells of events signs. */
export function signatureOf(body: Buffer, secret: string, now: number): string {
  const moment = String(Math.floor(now / 1_000));
  return `t=${moment},v1=${macOf(body, moment, secret).toString('hex')}`;
}

function macOf(body: Buffer, moment: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${moment}.`).update(body).digest();
}
