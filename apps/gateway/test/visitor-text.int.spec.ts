import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceNames } from '#libs/contracts';
import { createLogger } from '#libs/platform';
import { eventually, sampleEvery, Session } from '#libs/testing';
import type { RunningGateway } from '../gateway.js';
import type { Problem } from '../problem/problem.js';
import {
  adminCredentials,
  publicUrl,
  startGatewayWith,
  startSite,
  type SiteUnderTest,
} from './site.harness.js';

let site: SiteUnderTest;
let gateway: RunningGateway;
let visitor: Session;
let admin: Session;
const logged: string[] = [];

beforeAll(async () => {
  site = await startSite({ seed: 'demo' });
  const logger = createLogger('gateway', 'info', { write: (text: string) => void logged.push(text) });
  const settings = { REDIS_URL: site.redis.url, WEB_URL: site.web.url, TRUSTED_PROXIES: '127.0.0.0/8, ::1' };
  gateway = await startGatewayWith(settings, logger);
  visitor = Session.visitor(gateway.url);
  admin = await Session.signIn(gateway.url, adminCredentials);
});
afterAll(async () => {
  await gateway?.close();
  await site?.stop();
});

const mark = 'VISITOR-WROTE-THIS';
/** Each text would break out of some format if it were not escaped. */
const hostileTexts = [
  `${mark}<script>alert(1)</script><img src=x onerror=alert(1)>`,
  `${mark}"},{"level":"fatal","msg":"forged`,
  `${mark}</script><!--`,
  `${mark}%0d%0aSet-Cookie: a=b`,
  `=cmd|' /C calc'!A0 ${mark}`,
  `${mark} \u202e\u2066 {{7*7}} \${7*7}`,
];

describe.each(sampleEvery(2, hostileTexts))('%j', (text) => {
  const contactMessage = {
    fullName: text,
    emailAddress: 'ada@example.com',
    subject: text,
    message: `${text}\r\n{"level":"fatal","service":"gateway","msg":"forged"}\n${text}`,
    messageStatus: 'UnRead',
  };

  test('in a message is stored unchanged, and returned as data only', async () => {
    const { status, json } = await visitor.post<{ _id: string }>('/add-message', contactMessage);
    expect(status).toBe(201);
    const read = await admin.get(`/message/${json._id}`, { headers: { Accept: 'text/html' } });
    expect(read.json).toMatchObject(contactMessage);
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
    expect(read.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('in a refusal is returned as data only, too', async () => {
    const key = { 'Idempotency-Key': `a ${encodeURI(text)}` };
    const answers = [
      await visitor.post<Problem>('/add-message', { ...contactMessage, [text]: text, messageStatus: text }),
      await visitor.post<Problem>('/auth/login', { email: text, password: text }),
      await visitor.post<Problem>('/add-subscriber', { email: text }),
      await visitor.post<Problem>(`/${encodeURIComponent(text)}`, {}),
      await visitor.post<Problem>('/add-message', contactMessage, { headers: key }),
      await admin.get<Problem>(`/messages?cursor=${encodeURIComponent(text)}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 400, 400]);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('in a search cannot break out of the Link header', async () => {
    // At least two messages match, so the first page of results has a link to the next.
    for (let n = 1; n <= 2; n += 1) await visitor.post('/add-message', contactMessage);
    const { status, headers, json } = await admin.get<unknown[]>(
      `/messages?limit=1&search=${encodeURIComponent(text)}`,
    );
    expect([status, json.length]).toEqual([200, 1]);
    const link = headers.get('link') ?? '';
    expect(link).toMatch(/^<\/messages\?[\w%.~+*=&-]+>; rel="next"$/);
    expect(headers.getSetCookie()).toEqual([]);
    const next = await admin.get(link.slice(1, link.indexOf('>')));
    expect(next.status).toBe(200);
  });

  test('in headers has no effect', async () => {
    // A header value cannot contain other characters.
    const headerValue = text.replace(/[^\x20-\xff]/g, '?');
    const headers = {
      'User-Agent': headerValue,
      'X-Forwarded-For': headerValue,
      'X-Request-Id': headerValue,
      Traceparent: headerValue,
      Referer: headerValue,
    };
    const answer = await visitor.post<Problem>(
      '/auth/login',
      // Another account each time, because repeated failures delay a sign-in.
      { email: `a${hostileTexts.indexOf(text)}@example.com`, password: text },
      { headers },
    );
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});

test('a line break in a field that becomes a mail header is refused', async () => {
  for (const [name, value] of [
    ['fullName', 'Ada\r\nBcc: everybody@example.com'],
    ['subject', 'Hello\nX-Injected: yes'],
    ['emailAddress', 'ada@example.com\r\nBcc: everybody@example.com'],
  ] as const) {
    const body = {
      fullName: 'A',
      emailAddress: 'a@example.com',
      subject: 'B',
      message: 'C',
      [name]: value,
    };
    const { status, json } = await visitor.post<Problem>('/add-message', body);
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([400, [name]]);
  }
});

test('no log line is forged, and none contains what a visitor wrote in a form', async () => {
  await eventually(() => expect(logged.length).toBeGreaterThan(20));
  for (const text of logged) {
    expect(text.endsWith('\n')).toBe(true);
    expect(text.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  }
  // The harness fails if a line of the services' logs is not JSON.
  const lines = [
    ...logged.map((text) => JSON.parse(text) as Record<string, unknown>),
    ...serviceNames.flatMap((name) => site[name]).flatMap(({ log }) => log),
  ];
  for (const line of lines) {
    expect(['gateway', ...serviceNames]).toContain(line.service);
    expect(['info', 'warn']).toContain(line.level);
    // The path is logged percent-encoded. No other field may contain the text.
    expect(JSON.stringify({ ...line, path: undefined })).not.toContain(mark);
    expect(String(line.path ?? '')).not.toMatch(/[<>"\s]/);
  }
});

describe('a form sent without JavaScript', () => {
  const sendForm = (path: string, headers: Record<string, string>) =>
    visitor.send('POST', path, {
      body: 'email=a%40example.com&fullName=%3Cscript%3Ealert(1)%3C%2Fscript%3E',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: publicUrl, ...headers },
    });
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Sec-Fetch-Site': 'same-origin' };

  test.each([
    ['/add-message', 415],
    ['/add-subscriber', 415],
    ['/login', 405],
    ['/register', 405],
  ])('to %s is answered with a page that says that the form needs JavaScript', async (path, status) => {
    const answer = await sendForm(path, browser);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(answer.text).toContain('This form needs JavaScript');
    expect(answer.text).not.toContain('alert(1)');
    expect(answer.headers.get('allow') !== null).toBe(status === 405);
  });

  test('by an API client is answered with a problem document', async () => {
    const answer = await sendForm('/add-message', { Accept: 'application/json' });
    expect([answer.status, (answer.json as Problem).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});
