import { Secret, TOTP } from 'otpauth';
import encodeQr from 'qr';

/** What every authenticator app supports. */
const format = { algorithm: 'SHA1', digits: 6, period: 30 };
/** RFC 4226, section 4, recommends 160 bits. */
const secretBytes = 20;
/** The phone's clock may be off, so the codes one time step before and after are accepted too (RFC 6238, section 6). */
const window = 1;

/** In base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The time step of the code; undefined for a wrong code. */
export function matchingStep(secret: string, code: string, moment: Date): number | undefined {
  const timestamp = moment.getTime();
  const delta = new TOTP({ ...format, secret }).validate({ token: code, timestamp, window });
  return delta === null ? undefined : TOTP.counter({ ...format, timestamp }) + delta;
}

/** For authenticator apps (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function totpUri(secret: string, { site, email }: { site: string; email: string }): string {
  return new TOTP({ ...format, secret, issuer: site, label: email }).toString();
}

/** `size`: modules per side, with the quiet zone. `path`: the dark modules, as SVG path data. */
export function qrCodeOf(text: string): { size: number; path: string } {
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
