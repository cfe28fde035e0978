import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { redirect: 'manual', headers });

test.each([
  ['/my-order?q=Ljubljana', '/my-order?q=Ljubljana'],
  ['/my-order?q=Škofja+Loka', '/my-order?q=%C5%A0kofja+Loka'],
  ['/注文/😀', '/%E6%B3%A8%E6%96%87/%F0%9F%98%80'],
])('a sign-in with Google that begins at %s returns there', async (path, location) => {
  const begun = await open(`/auth/google?return=${encodeURIComponent(path)}`);
  const person = { email: 'ada@gmail.example', name: 'Ada', subject: 'subject-of-ada' };
  const callback = await google.choose(begun.headers.get('location')!, person);
  const cookie = begun.headers.getSetCookie().map((set) => set.split(';')[0]!);
  const back = await open(callback.pathname + callback.search, { Cookie: cookie.join('; ') });
  expect([back.status, back.headers.get('location')]).toEqual([303, location]);
});
