import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import decodeQr from 'qr/decode.js';
import { matchingStep, newTotpSecret, qrCodeOf, totpUri } from './totp.js';

// These codes are the last six of the eight digits that RFC 6238, appendix B, lists for SHA-1.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the code of RFC 6238 is accepted, but not with another secret', (seconds, code) => {
  const secret = Secret.fromUTF8('12345678901234567890').base32;
  expect(matchingStep(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  expect(matchingStep(newTotpSecret(), code, new Date(seconds * 1000))).toBeUndefined();
});

test('a code is accepted in its step, the one before and the one after, and in no other; an empty code is refused', () => {
  const secret = newTotpSecret();
  const now = new Date(1_800_000_015_000);
  const step = Math.floor(now.getTime() / 30_000);
  const codeAt = (offset: number) =>
    new TOTP({ secret }).generate({ timestamp: now.getTime() + offset * 30_000 });
  for (const offset of [-1, 0, 1]) expect(matchingStep(secret, codeAt(offset), now)).toBe(step + offset);
  for (const offset of [-2, 2]) expect(matchingStep(secret, codeAt(offset), now)).toBeUndefined();
  expect(matchingStep(secret, '', now)).toBeUndefined();
});

test('secrets have 160 bits, and are unique', () => {
  expect(Secret.fromBase32(newTotpSecret()).bytes).toHaveLength(20);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

test('the otpauth URI contains the site and the person, whatever characters their names have', () => {
  const uri = totpUri('ABCDEFGH', { site: 'Rank & Rise: SEO', email: 'a+b@example.com' });
  expect(uri).toBe(
    'otpauth://totp/Rank%20%26%20Rise%3A%20SEO:a%2Bb%40example.com?issuer=Rank%20%26%20Rise%3A%20SEO&secret=ABCDEFGH&algorithm=SHA1&digits=6&period=30',
  );
});

test('the QR code can be scanned, and has a quiet zone before its first finder pattern', () => {
  const text = totpUri(newTotpSecret(), { site: 'site.example', email: 'somebody@example.com' });
  const { size, path } = qrCodeOf(text);
  expect(path).toMatch(/^M4 4h7v1H4z/);
  // Draws four pixels per module.
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 3).fill(255);
  const notDrawn = path.replaceAll(/M(\d+) (\d+)h(\d+)v1H\1z/g, (_run, x, y, width) => {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      data.fill(
        0,
        (row * side + Number(x) * scale) * 3,
        (row * side + (Number(x) + Number(width)) * scale) * 3,
      );
    return '';
  });
  expect(notDrawn).toBe('');
  expect(decodeQr({ width: side, height: side, data })).toBe(text);
});
