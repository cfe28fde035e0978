import { verify, type X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Notification } from '../payment-provider.js';

/** PayPal repeats a webhook for three days. One more day is tolerated. */
const maxAgeMs = 4 * 24 * 60 * 60 * 1000;
const maxAheadMs = 10 * 60 * 1000;

interface SignedWebhook {
  certificateUrl: string;
  /** The bytes that PayPal signs. */
  signed: Buffer;
  signature: Buffer;
}

/** Undefined if headers are missing, the algorithm is not PayPal's, or the time is invalid or too far from `now`. */
export function findSignedWebhook(
  { body, headers }: Notification,
  webhookId: string,
  now: Date,
): SignedWebhook | undefined {
  const certificateUrl = headers['paypal-cert-url'];
  const signature = headers['paypal-transmission-sig'];
  const id = headers['paypal-transmission-id'];
  const time = headers['paypal-transmission-time'];
  if (headers['paypal-auth-algo'] !== 'SHA256withRSA') return undefined;
  if (certificateUrl === undefined || signature === undefined || id === undefined || time === undefined)
    return undefined;
  const ageMs = now.getTime() - Date.parse(time);
  // If the time cannot be read, `ageMs` is NaN, for which both comparisons are false.
  if (!(ageMs <= maxAgeMs && ageMs >= -maxAheadMs)) return undefined;
  return {
    certificateUrl,
    signed: Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`),
    signature: Buffer.from(signature, 'base64'),
  };
}

export function isSignedBy(certificate: X509Certificate, { signed, signature }: SignedWebhook): boolean {
  return verify('sha256', signed, certificate.publicKey, signature);
}
