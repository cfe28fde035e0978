import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import encodeQr from 'qr';

/** What every authenticator app understands (RFC 6238, section 1.2): SHA-1, six digits, steps of thirty seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, section 4: at least 128 bits, better 160. */
const SECRET_BYTES = 20;
/** Of a phone's clock: the steps before and after this one are taken too (RFC 6238, section 5.2). */
const SKEW_STEPS = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, section 6, without padding. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[parseInt(group.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
}

/** A new secret, in base32. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

export const totpStepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / STEP_SECONDS);

/** The code of one step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  // Dynamic truncation: RFC 4226, section 5.3.
  const offset = mac[mac.length - 1]! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is, around this moment; undefined for a wrong one. */
export function matchingStep(secret: string, code: string, moment: Date): number | undefined {
  const given = Buffer.from(code);
  const now = totpStepAt(moment);
  let found: number | undefined;
  for (let step = now - SKEW_STEPS; step <= now + SKEW_STEPS; step += 1) {
    const expected = Buffer.from(totpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** As authenticator apps read it (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function totpUri(secret: string, { site, email }: { site: string; email: string }): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(email)}`;
  const parameters = new URLSearchParams({
    secret,
    issuer: site,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`;
}

/** The QR code of a text: `size` modules a side, its quiet zone included, the dark ones as an SVG path. */
export function qrPath(text: string): { size: number; path: string } {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 4 });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end === -1 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return { size: rows.length, path: runs.join('') };
}
