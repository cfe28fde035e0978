import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sampleEvery } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { sampleRequest, writes } from './sample-requests.js';
import { adminCredentials, publicUrl, startSite, type SiteUnderTest } from './site.harness.js';
import { countStoredRows } from './stored-rows.js';

let site: SiteUnderTest;
let cookies: string;
let before: Record<string, number>;

beforeAll(async () => {
  const unlimited = '900000/60';
  site = await startSite({
    settings: {
      CORS_ORIGINS: 'https://partner.example',
      LIMIT_FORMS: unlimited,
      LIMIT_MAIL: unlimited,
      LIMIT_SIGN_IN: unlimited,
      LIMIT_SIGN_UP: unlimited,
    },
  });
  const answer = await site.visitor.post('/auth/login', adminCredentials, { headers: { Origin: publicUrl } });
  cookies = answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
  before = await countStoredRows(site);
});
afterAll(() => site?.stop());

type HeaderFields = Record<string, string>;

/** Headers of requests that do not come from our own pages. `none`: the person entered the address or opened a bookmark. */
const foreign: HeaderFields[] = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'http://shop.site.test' },
  { 'Sec-Fetch-Site': 'none' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: `${publicUrl}.evil.example` },
  { Origin: publicUrl.replace('http:', 'https:') },
  { Origin: `${publicUrl}:8080` },
  { Origin: 'https://evil.example', Referer: `${publicUrl}/contact` },
];
const own: HeaderFields[] = [
  { 'Sec-Fetch-Site': 'same-origin', Origin: publicUrl },
  { 'Sec-Fetch-Site': 'same-origin' },
  { Origin: publicUrl },
];
const partner: HeaderFields = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://partner.example' };

/** Content types that another site's form can send without a preflight (https://fetch.spec.whatwg.org/#cors-safelisted-request-header). */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];

const table = writes.map((operation, index) => ({
  name: `${operation.method} ${operation.path}`,
  operation,
  index,
}));

describe.each(table)('$name', ({ operation, index }) => {
  const { method, path, body } = sampleRequest(operation);
  /** One item of `foreign`, the next item for the next operation. In a full run, all items. */
  const sampledForeign = sampleEvery(foreign.length, foreign, index);
  /** No call accepts this body, so INVALID_INPUT shows that the request was let through. */
  const invalidBody = { nonsense: true };

  const codes = async (headers: HeaderFields[], sent: unknown) => {
    const answers = headers.map((more) =>
      site.visitor.send<Problem>(method, path, { body: sent, headers: more }),
    );
    return (await Promise.all(answers)).map(({ json }) => json.code);
  };
  const eachWith = (headers: HeaderFields[], more: HeaderFields) =>
    headers.map((one) => ({ ...one, ...more }));
  const allRefused = (headers: HeaderFields[]) => headers.map(() => 'CROSS_SITE_REQUEST');
  const allAnswered = (headers: HeaderFields[], code: string) => headers.map(() => code);

  test('is refused if its headers say that it does not come from the site’s own pages, with cookies and without', async () => {
    expect(await codes(eachWith(sampledForeign, { Cookie: cookies }), body)).toEqual(
      allRefused(sampledForeign),
    );
    expect(await codes(sampledForeign, body)).toEqual(allRefused(sampledForeign));
  });

  test('is refused with cookies but without headers about its origin', async () => {
    expect(await codes([{ Cookie: cookies }, { Cookie: 'signed_in=1' }], body)).toEqual(allRefused([{}, {}]));
  });

  test('is open to the site’s own pages, and to a client without cookies', async () => {
    expect(await codes(eachWith(own, { Cookie: cookies }), invalidBody)).toEqual(
      allAnswered(own, 'INVALID_INPUT'),
    );
    const visitorCode = operation.policy.access === 'public' ? 'INVALID_INPUT' : 'UNAUTHENTICATED';
    expect(await codes([{}, ...own], invalidBody)).toEqual(allAnswered([{}, ...own], visitorCode));
  });

  test('is open to a site in CORS_ORIGINS if the request has no cookies and the operation neither sets nor clears any', async () => {
    expect(await codes([{ ...partner, Cookie: cookies }], body)).toEqual(['CROSS_SITE_REQUEST']);
    const visitorCode = operation.policy.access === 'public' ? 'INVALID_INPUT' : 'UNAUTHENTICATED';
    const expected = operation.policy.setsCookies ? 'CROSS_SITE_REQUEST' : visitorCode;
    expect(await codes([partner], invalidBody)).toEqual([expected]);
  });

  test('does not accept forms', async () => {
    for (const type of sampleEvery(formTypes.length, formTypes, index)) {
      const more = { Cookie: cookies, 'Content-Type': type };
      const sent = type === 'text/plain' ? JSON.stringify(body ?? {}) : 'a=b';
      expect(await codes(eachWith(sampledForeign, more), sent)).toEqual(allRefused(sampledForeign));
      const sampledOwn = sampleEvery(own.length, own, index);
      expect(await codes(eachWith(sampledOwn, more), sent)).toEqual(
        allAnswered(sampledOwn, 'UNSUPPORTED_MEDIA_TYPE'),
      );
    }
  });
});

test('the requests above stored nothing, and the session is still active', async () => {
  expect(await countStoredRows(site)).toEqual(before);
  expect((await site.visitor.get('/auth/me', { headers: { Cookie: cookies } })).status).toBe(200);
});

test('a GET with cookies from another site is answered, but browsers hide the answer; operations that write refuse GET', async () => {
  const headers = { ...partner, Cookie: cookies };
  for (const path of ['/auth/me', '/users', '/messages', '/subscribers']) {
    const answer = await site.visitor.get(path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    // Without this header, browsers withhold the answer from the other site's page.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
  for (const path of ['/auth/logout', '/auth/refresh', '/add-message', '/add-subscriber']) {
    expect((await site.visitor.get(path, { headers })).status).toBe(405);
  }
});
