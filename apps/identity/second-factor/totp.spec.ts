import { expect, test } from '@jest/globals';
import {
  base32,
  fromBase32,
  matchingStep,
  newTotpSecret,
  qrPath,
  totpCode,
  totpStepAt,
  totpUri,
} from './totp.js';

const rfc = base32(Buffer.from('12345678901234567890'));

// RFC 6238, appendix B, for SHA-1; the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the code is the one of RFC 6238', (seconds, code) => {
  expect(totpCode(rfc, totpStepAt(new Date(seconds * 1000)))).toBe(code);
});

// RFC 4648, section 10.
test.each([
  ['f', 'MY'],
  ['foobar', 'MZXW6YTBOI'],
])('%s is %s in base32', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
  expect(fromBase32(encoded).toString()).toBe(text);
});

test('a code is taken in its step, the one before and the one after, and in no other', () => {
  const secret = newTotpSecret();
  const now = new Date(1_800_000_015_000);
  const step = totpStepAt(now);
  for (const offset of [-1, 0, 1])
    expect(matchingStep(secret, totpCode(secret, step + offset), now)).toBe(step + offset);
  for (const offset of [-2, 2])
    expect(matchingStep(secret, totpCode(secret, step + offset), now)).toBeUndefined();
  expect(matchingStep(secret, '', now)).toBeUndefined();
});

test('secrets have 160 bits, and no two are alike', () => {
  expect(fromBase32(newTotpSecret())).toHaveLength(20);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

test('the address names site and person, whatever they are called', () => {
  const uri = totpUri('ABC', { site: 'Rank & Rise: SEO', email: 'a+b@example.com' });
  expect(uri).toBe(
    'otpauth://totp/Rank%20%26%20Rise%3A%20SEO:a%2Bb%40example.com?secret=ABC&issuer=Rank%20%26%20Rise%3A%20SEO&algorithm=SHA1&digits=6&period=30',
  );
});

test('the QR code is a square with its three finders and a quiet zone', () => {
  const { size, path } = qrPath('otpauth://totp/x?secret=ABC');
  expect((size - 8 - 17) % 4).toBe(0);
  expect(path).toMatch(/^M4 4h7v1H4z/);
  expect(path).toMatch(/^[MhvHz\d ]+$/);
});
