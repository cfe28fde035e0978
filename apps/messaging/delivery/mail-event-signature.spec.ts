import { expect, test } from '@jest/globals';
import { isSigned } from './mail-event-signature.js';

const secret = 'a secret of more than thirty-two characters';
const body = Buffer.from('{"events":[]}');
const now = Date.UTC(2026, 10, 21, 9);
// printf '%s.%s' 1795251600 '{"events":[]}' | openssl dgst -sha256 -hmac 'a secret of more than thirty-two characters'
const good = 't=1795251600,v1=f6550ab627c5ec4c7d4b89a02c5682efe4eb97f020f253c6a3894c586bbf7f63';

test.each([
  ['made at this moment', now],
  ['made almost five minutes ago', now + 299_000],
  ['made by a clock that is almost five minutes ahead', now - 299_000],
])('a signature %s is accepted', (_what, at) => {
  expect(isSigned(body, good, secret, at)).toBe(true);
});

test.each([
  ['made more than five minutes ago', good, body, now + 301_000],
  ['made by a clock that is more than five minutes ahead', good, body, now - 301_000],
  ['made for another body', good, Buffer.from('{"events":[1]}'), now],
  ['with another time', good.replace('t=1795251600', 't=1795251601'), body, now],
  ['without a time', good.replace(/^t=\d+,/, ''), body, now],
  ['that is cut off', good.slice(0, -1), body, now],
  ['that is empty', '', body, now],
])('a signature %s is refused', (_what, signature, bytes, at) => {
  expect(isSigned(bytes, signature, secret, at)).toBe(false);
});

test('a signature made with another secret is refused', () => {
  expect(isSigned(body, good, `${secret}?`, now)).toBe(false);
});
