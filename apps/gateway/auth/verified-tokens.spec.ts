import { expect, test } from '@jest/globals';
import type { AccessTokenClaims } from '#libs/contracts';
import { VerifiedTokens } from './verified-tokens.js';

const claims = (exp: number): AccessTokenClaims => ({
  iss: 'https://site.example',
  aud: 'seo-services-api',
  sub: 'account',
  sid: 'session',
  iat: exp - 600,
  exp,
  jti: 'token',
});

let now = new Date();
const clock = { now: () => now };

test('a token is remembered until its expiry plus the clock tolerance, to the millisecond', () => {
  now = new Date(1_000_000);
  const tokens = new VerifiedTokens(clock);
  tokens.add('a', claims(1060));
  expect(tokens.findClaims('a')).toEqual(claims(1060));
  expect(tokens.findClaims('b')).toBeUndefined();
  now = new Date(1_119_999);
  expect(tokens.findClaims('a')).toEqual(claims(1060));
  now = new Date(1_120_000);
  expect(tokens.findClaims('a')).toBeUndefined();
});

test('the number of remembered tokens is limited, and the oldest are dropped first', () => {
  const tokens = new VerifiedTokens(clock);
  const exp = now.getTime() / 1000 + 60;
  for (let i = 0; i <= 10_000; i += 1) tokens.add(`t${i}`, claims(exp));
  expect([tokens.findClaims('t0'), tokens.findClaims('t1')?.sub, tokens.findClaims('t10000')?.sub]).toEqual([
    undefined,
    'account',
    'account',
  ]);
});
