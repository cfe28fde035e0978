import { expect, test } from '@jest/globals';
import { isSigned, signatureOf } from './mail-event-signature.js';

const secret = 'a secret of thirty-two characters';
const body = Buffer.from('{"events":[]}');
const now = Date.UTC(2026, 10, 21, 9);
const good = signatureOf(body, secret, now);

test('is as documented', () => {
  // printf '%s.%s' 1795251600 '{"events":[]}' | openssl dgst -sha256 -hmac 'a secret of thirty-two characters'
  expect(good).toBe('t=1795251600,v1=63c3b5d93b3b1912210fdf817dcbaa4f6b59d54c67680a9c219aa6cafd780d5b');
});

test.each([
  ['as it is', good, body, now, true],
  ['almost five minutes later', good, body, now + 299_000, true],
  ['by a clock that is behind', good, body, now - 299_000, true],
  ['five minutes later', good, body, now + 301_000, false],
  ['of another body', good, Buffer.from('{"events":[1]}'), now, false],
  ['by another secret', signatureOf(body, `${secret}?`, now), body, now, false],
  ['under another moment', good.replace('t=1795251600', 't=1795251601'), body, now, false],
  ['without a moment', good.replace(/^t=\d+,/, ''), body, now, false],
  ['in part', good.slice(0, -1), body, now, false],
  ['that is none', '', body, now, false],
])('a signature %s', (_what, signature, bytes, at, expected) => {
  expect(isSigned(bytes, signature, secret, at)).toBe(expected);
});
