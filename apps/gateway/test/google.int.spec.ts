import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { GoogleStandIn } from '../../../dev/stand-ins/google/client.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

const client = {
  id: 'the-site',
  secret: 'the secret of the site',
  redirectUris: [`${publicUrl}/auth/google/callback`],
};

let google: GoogleStandIn;
let site: SiteUnderTest;
beforeAll(async () => {
  google = await GoogleStandIn.start({ client });
  site = await startSite({
    without: ['content', 'messaging', 'orders', 'projects'],
    identitySettings: {
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
      GOOGLE_ISSUER: google.url,
    },
  });
});
afterAll(async () => {
  await site?.stop();
  await google?.stop();
});

const cookiesOf = (response: Response): Record<string, string> => ({
  Cookie: response.headers
    .getSetCookie()
    .map((set) => set.split(';')[0]!)
    .join('; '),
});

/** Returns the site's answer to the callback, to which Google redirects the browser. */
async function signIn(person: Parameters<GoogleStandIn['choose']>[1], returnTo = '/'): Promise<Response> {
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(site.url + path, { redirect: 'manual', headers });
  const begun = await open(`/auth/google?return=${encodeURIComponent(returnTo)}`);
  const callback = await google.choose(begun.headers.get('location')!, person);
  return open(callback.pathname + callback.search, cookiesOf(begun));
}

test.each([
  ['/my-order?q=Ljubljana', '/my-order?q=Ljubljana'],
  ['/my-order?q=Škofja+Loka', '/my-order?q=%C5%A0kofja+Loka'],
  ['/注文/😀', '/%E6%B3%A8%E6%96%87/%F0%9F%98%80'],
])('a sign-in with Google that begins at %s returns there', async (path, location) => {
  const person = { email: 'ada@gmail.example', name: 'Ada', subject: 'subject-of-ada' };
  const back = await signIn(person, path);
  expect([back.status, back.headers.get('location')]).toEqual([303, location]);
});

test('if the account has a second factor, the sign-in goes on to the second step, whose address names the methods that the account has', async () => {
  const person = { email: 'grace@gmail.example', name: 'Grace', subject: 'subject-of-grace' };
  const headers = {
    ...cookiesOf(await signIn(person)),
    Origin: publicUrl,
    'Content-Type': 'application/json',
  };
  const post = (path: string, body: object) =>
    fetch(site.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { secret } = (await (await post('/auth/totp', {})).json()) as { secret: string };
  const confirmed = await post('/auth/totp/confirm', { code: new TOTP({ secret }).generate() });
  expect(confirmed.status).toBe(200);
  const { status, headers: sent } = await signIn(person);
  expect([status, sent.get('location')]).toEqual([
    303,
    '/login?step=second-factor&methods=totp,recoveryCode',
  ]);
});
