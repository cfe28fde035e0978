import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, eventually, Session } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

/** What is known at one gateway is known at the others within this time. */
const withinASecond = { timeoutMs: 1000 };

let people = 0;

/** A browser's cookies, as somebody may have copied them. */
function cookiesOf(answer: Answer): Record<string, string> {
  return Object.fromEntries(
    answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!.split('=') as [string, string]),
  );
}

function signUp(url: string): Promise<Answer<{ accessToken: string }>> {
  const credentials = { email: `owner${(people += 1)}@example.com`, password: 'correct horse battery' };
  return Session.visitor(url).post('/auth/register', credentials);
}

function refresh(url: string, refreshToken: string): Promise<Answer<Problem>> {
  const headers = { Cookie: `refresh_token=${refreshToken}; signed_in=1`, Origin: publicUrl };
  return Session.visitor(url).send('POST', '/auth/refresh', { headers });
}

async function statusOf(url: string, accessToken: string): Promise<number> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return (await Session.visitor(url).get('/auth/me', { headers })).status;
}

test('two tabs that refresh at once, over two gateways, stay signed in', async () => {
  const site = await startSite({ gateways: 2 });
  try {
    const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
    let token = cookiesOf(await signUp(first)).refresh_token!;
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([refresh(first, token), refresh(second, token)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const access = answers.map((answer) => cookiesOf(answer).access_token!);
      expect([await statusOf(second, access[0]!), await statusOf(first, access[1]!)]).toEqual([200, 200]);
      // The browser keeps whichever came last.
      token = cookiesOf(answers[round % 2]!).refresh_token!;
    }
  } finally {
    await site.stop();
  }
});

let site: SiteUnderTest;
beforeAll(async () => {
  // Without a time of grace, whatever was rotated is old.
  site = await startSite({ gateways: 2, identitySettings: { REFRESH_GRACE_SECONDS: '0' } });
});
afterAll(() => site?.stop());

test('an old refresh token that is used again ends its family, on every gateway within a second', async () => {
  const [first, second] = site.gateways.map(({ url }) => url) as [string, string];
  const signedIn = await signUp(first);
  const stolen = cookiesOf(signedIn).refresh_token!;
  const owner = cookiesOf(await refresh(first, stolen));
  // Both gateways have just seen that the session lives.
  for (const url of [first, second]) {
    expect(await statusOf(url, signedIn.json.accessToken)).toBe(200);
    expect(await statusOf(url, owner.access_token!)).toBe(200);
  }

  const thief = await refresh(second, stolen);
  expect([thief.status, thief.json.code]).toEqual([401, 'SESSION_ENDED']);
  expect(Object.values(cookiesOf(thief))).toEqual(['', '', '']);
  await eventually(async () => {
    for (const url of [first, second]) {
      expect(await statusOf(url, owner.access_token!)).toBe(401);
      expect(await statusOf(url, signedIn.json.accessToken)).toBe(401);
    }
  }, withinASecond);
  expect((await refresh(first, owner.refresh_token!)).status).toBe(401);
});

test('it leaves the person’s other sessions alone, and they can sign in again', async () => {
  const credentials = { email: 'robbed@example.com', password: 'correct horse battery' };
  const signedIn = await Session.visitor(site.url).post('/auth/register', credentials);
  const elsewhere = await Session.signIn(site.url, credentials);
  const stolen = cookiesOf(signedIn).refresh_token!;
  expect((await refresh(site.url, stolen)).status).toBe(200);
  expect((await refresh(site.url, stolen)).status).toBe(401);
  expect((await elsewhere.get('/auth/me')).status).toBe(200);
  expect((await Session.signIn(site.url, credentials)).email).toBe(credentials.email);
});
