import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import pg from 'pg';
import { accessTokens } from '#libs/contracts';
import { type Answer, eventually, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let victim: Session;
let kid: string;
/** Identity's own signing key, so that each token below is invalid only in what its test changes. */
let privateKey: KeyObject;
let claims: Record<string, unknown>;

beforeAll(async () => {
  // Without a grace period, rotated refresh tokens are invalid immediately.
  site = await startSite({
    without: ['content', 'messaging', 'orders', 'projects'],
    gateways: 2,
    identitySettings: { REFRESH_GRACE_SECONDS: '0' },
  });
  victim = await site.customer();
  claims = { ...decodeJwt(victim.bearer) };
  const database = new pg.Client({ connectionString: site.databaseUrls.identity });
  await database.connect();
  const { rows } = await database.query<{ kid: string; private_key: string }>(
    `SELECT kid, private_key FROM signing_keys WHERE state = 'current'`,
  );
  await database.end();
  kid = rows[0]!.kid;
  privateKey = createPrivateKey(rows[0]!.private_key);
});
afterAll(() => site?.stop());

const now = () => Math.floor(Date.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const signToken = (
  changes: Record<string, unknown>,
  key = privateKey,
  header: Record<string, unknown> = {},
) =>
  new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: accessTokens.algorithm, typ: 'at+jwt', kid, ...header })
    .sign(key);

const statusAt = async (url: string, token: string) =>
  (await Session.visitor(url).get('/auth/me', { headers: { Authorization: `Bearer ${token}` } })).status;
const statusOf = (token: string) => statusAt(site.url, token);
const statusWithCookie = async (token: string) =>
  (await site.visitor.get('/auth/me', { headers: { Cookie: `access_token=${token}` } })).status;

/** A token that is signed with HMAC and the public key as its secret. Verifiers that let the token choose the algorithm accept it. */
function signWithPublicKey(format: 'pem' | 'der'): string {
  const key = createPublicKey(privateKey);
  const publicKey =
    format === 'pem'
      ? key.export({ type: 'spki', format: 'pem' })
      : key.export({ type: 'spki', format: 'der' });
  const body = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${part(claims)}`;
  return `${body}.${createHmac('sha256', publicKey).update(body).digest('base64url')}`;
}

test('a token that is forged without a mistake is accepted, so each of the following is refused for its own mistake', async () => {
  const token = await signToken({});
  expect([await statusOf(token), await statusWithCookie(token)]).toEqual([200, 200]);
});

test.each<[what: string, make: () => string | Promise<string>]>([
  [
    'expired for longer than the clock tolerance',
    () => signToken({ exp: now() - accessTokens.clockToleranceSeconds - 1 }),
  ],
  ['for another audience', () => signToken({ aud: 'another-api' })],
  ['for several audiences, none of them ours', () => signToken({ aud: ['another-api', 'a-third'] })],
  ['for no audience', () => signToken({ aud: undefined })],
  ['of another issuer', () => signToken({ iss: 'https://evil.example' })],
  ['of an issuer that begins like ours', () => signToken({ iss: `${publicUrl}.evil.example` })],
  ['not valid yet', () => signToken({ nbf: now() + 3600 })],
  ['of another account than its session’s', () => signToken({ sub: '019a0000-0000-7000-8000-00000000dead' })],
  ['that names no session', () => signToken({ sid: undefined })],
  ['of a session that never existed', () => signToken({ sid: '019a0000-0000-7000-8000-00000000dead' })],
  ['without an expiry', () => signToken({ exp: undefined })],
  [
    'signed with another key under our key’s name',
    () => signToken({}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  ],
  ['of another type', () => signToken({}, privateKey, { typ: 'JWT' })],
  ['that names an unknown key', () => signToken({}, privateKey, { kid: 'unknown' })],
  ['that names no key', () => signToken({}, privateKey, { kid: undefined })],
  [
    'with its key in its own header',
    async () => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return signToken({}, own.privateKey, { jwk: own.publicKey.export({ format: 'jwk' }) });
    },
  ],
  [
    'without a signature, as `alg: none`',
    () => `${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims)}.`,
  ],
  [
    'without a signature, as `alg: nOnE`',
    () => `${part({ alg: 'nOnE', typ: 'at+jwt', kid })}.${part(claims)}.`,
  ],
  ['with its signature cut off', async () => `${(await signToken({})).split('.').slice(0, 2).join('.')}.`],
  ['signed with our public key as an HMAC secret, in PEM', () => signWithPublicKey('pem')],
  ['signed with our public key as an HMAC secret, in DER', () => signWithPublicKey('der')],
])('a token %s is refused', async (_what, make) => {
  const token = await make();
  expect([await statusOf(token), await statusWithCookie(token)]).toEqual([401, 401]);
});

test('a token that has just expired is accepted within the clock tolerance', async () => {
  expect(await statusOf(await signToken({ exp: now() - accessTokens.clockToleranceSeconds / 2 }))).toBe(200);
});

/** Each gateway learns of a change at another one within this time. */
const withinASecond = { promisedMs: 1000 };

let ownerCount = 0;

function cookiesOf(answer: Answer): Record<string, string> {
  return Object.fromEntries(
    answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!.split('=') as [string, string]),
  );
}

function signUp(url: string): Promise<Answer<{ accessToken: string }>> {
  const credentials = { email: `owner${(ownerCount += 1)}@example.com`, password: 'correct horse battery' };
  return Session.visitor(url).post('/auth/register', credentials);
}

function refresh(url: string, refreshToken: string): Promise<Answer<Problem>> {
  const headers = { Cookie: `refresh_token=${refreshToken}; signed_in=1`, Origin: publicUrl };
  return Session.visitor(url).send('POST', '/auth/refresh', { headers });
}

test('the reuse of a rotated refresh token ends its session, on every gateway within a second', async () => {
  const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
  const signedIn = await signUp(first);
  const stolen = cookiesOf(signedIn).refresh_token!;
  const owner = cookiesOf(await refresh(first, stolen));
  // Makes both gateways cache the session as active.
  for (const url of [first, second]) {
    expect(await statusAt(url, signedIn.json.accessToken)).toBe(200);
    expect(await statusAt(url, owner.access_token!)).toBe(200);
  }

  const thief = await refresh(second, stolen);
  expect([thief.status, thief.json.code]).toEqual([401, 'SESSION_ENDED']);
  // The answer deletes the three cookies of a sign-in.
  expect(Object.values(cookiesOf(thief))).toEqual(['', '', '']);
  await eventually(async () => {
    for (const url of [first, second]) {
      expect(await statusAt(url, owner.access_token!)).toBe(401);
      expect(await statusAt(url, signedIn.json.accessToken)).toBe(401);
    }
  }, withinASecond);
  expect((await refresh(first, owner.refresh_token!)).status).toBe(401);
});

test('after the reuse of a refresh token, the person’s other sessions continue, and the person can sign in again', async () => {
  const credentials = { email: 'robbed@example.com', password: 'correct horse battery' };
  const signedIn = await Session.visitor(site.url).post('/auth/register', credentials);
  const elsewhere = await Session.signIn(site.url, credentials);
  const stolen = cookiesOf(signedIn).refresh_token!;
  expect((await refresh(site.url, stolen)).status).toBe(200);
  expect((await refresh(site.url, stolen)).status).toBe(401);
  expect((await elsewhere.get('/auth/me')).status).toBe(200);
  expect((await Session.signIn(site.url, credentials)).email).toBe(credentials.email);
});
