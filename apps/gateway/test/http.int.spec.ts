import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, eventually, Session, sampleEvery } from '#libs/testing';
import type { Problem } from '../problem/problem.js';
import { publicUrl, startGatewayWith, startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
let admin: Session;
beforeAll(async () => {
  site = await startSite({
    seed: 'demo',
    settings: { BODY_LIMIT_BYTES: '20000', CORS_ORIGINS: 'https://partner.example' },
  });
  admin = await site.admin();
});
afterAll(() => site?.stop());

const step = { stepTitle: 'Listen', stepDetails: 'First we listen.', stepNumber: '1' };

function expectProblem(answer: Answer<Problem>, status: number, code: string): void {
  expect([answer.status, answer.json?.code]).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.json).toMatchObject({
    type: `/docs#${code}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(answer.json.requestId).toMatch(/^[\da-f-]{36}$/);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
}

describe('a malformed body', () => {
  const json = 'application/json';
  let before: unknown;
  beforeAll(async () => {
    before = (await site.visitor.get('/steps')).json;
  });

  test.each([
    ['an empty one', '', json, 400, 'INVALID_INPUT'],
    ['half of an object', '{"stepTitle":', json, 400, 'MALFORMED_REQUEST'],
    ['text', 'hello', json, 400, 'MALFORMED_REQUEST'],
    ['an array', '[]', json, 400, 'INVALID_INPUT'],
    ['a string', '"text"', json, 400, 'INVALID_INPUT'],
    ['null', 'null', json, 400, 'INVALID_INPUT'],
    ['a number', '1e999', json, 400, 'INVALID_INPUT'],
    ['a poisoned prototype', '{"__proto__":{"role":"admin"}}', json, 400, 'MALFORMED_REQUEST'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"x":1}}}', json, 400, 'MALFORMED_REQUEST'],
    ['a deeply nested array', '['.repeat(9000), json, 400, 'MALFORMED_REQUEST'],
    ['a deeply nested object', '{"a":'.repeat(2000) + '1' + '}'.repeat(2000), json, 400, 'MALFORMED_REQUEST'],
    ['too much', `{"a":"${'x'.repeat(20_000)}"}`, json, 413, 'BODY_TOO_LARGE'],
    ['a form', 'stepTitle=x', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['plain text', JSON.stringify(step), 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a multipart form', '--x--', 'multipart/form-data; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an odd content type', '{}', 'application/json/x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a NUL', '{"stepTitle":"a\\u0000b"}', json, 400, 'INVALID_INPUT'],
    ['a lone surrogate', '{"stepTitle":"\\ud800"}', json, 400, 'INVALID_INPUT'],
  ])('is refused: %s', async (_name, body, type, status, code) => {
    for (const [method, path] of [
      ['POST', '/add-step'],
      ['PUT', '/step-item/x'],
      ['POST', '/auth/login'],
    ] as const) {
      const answer = await admin.send<Problem>(method, path, { body, headers: { 'Content-Type': type } });
      expectProblem(answer, status, code);
    }
  });

  test.each([
    ['{"__proto__":{"role":"admin"}}', 'contains a key that is not allowed'],
    ['{"stepTitle":', 'is not valid JSON'],
  ])('is refused with the reason: %s', async (body, reason) => {
    const { json: problem } = await admin.send<Problem>('POST', '/add-step', {
      body,
      headers: { 'Content-Type': json },
    });
    expect(problem.detail).toContain(reason);
  });

  test('is refused: bytes that are not UTF-8', async () => {
    const answer = await fetch(`${site.url}/add-step`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.bearer}`, 'Content-Type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  test('is refused: a compressed body', async () => {
    const answer = await admin.send<Problem>('POST', '/add-step', {
      body: JSON.stringify(step),
      headers: { 'Content-Type': json, 'Content-Encoding': 'gzip' },
    });
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('wrong types are named field by field', async () => {
    const body = { stepTitle: 7, stepDetails: { a: 1 }, stepNumber: ['1'] };
    const answer = await admin.post<Problem>('/add-step', body);
    expectProblem(answer, 400, 'INVALID_INPUT');
    expect(answer.json.errors?.map(({ field }) => field)).toEqual(['stepTitle', 'stepDetails', 'stepNumber']);
  });

  test('nothing was stored, and no prototype was changed', async () => {
    expect((await site.visitor.get('/steps')).json).toEqual(before);
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe('a malformed path, or an unknown path or method', () => {
  test.each([
    ['GET', '/%', 400],
    ['GET', '/banner/%zz', 400],
    ['GET', '/banner/%ff', 400],
    ['POST', '/nowhere', 404],
    ['DELETE', '/', 405],
    ['POST', '/pricing/', 405],
    ['PUT', '/banner', 405],
    ['GET', '/add-banner', 405],
    ['GET', '/auth/login', 405],
    ['POST', '/assets/app-1234.js', 405],
    ['PATCH', '/banner', 405],
    ['GET', `/banner/${'x'.repeat(2000)}`, 404],
  ])('%s %s is %i', async (method, path, status) => {
    const answer = await site.visitor.send<Problem>(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/OPTIONS$/);
  });

  test('OPTIONS gets the methods of a path', async () => {
    const allow = async (path: string) => (await site.visitor.send('OPTIONS', path)).headers.get('allow');
    expect(await allow('/banner')).toBe('GET, HEAD, OPTIONS');
    expect(await allow('/add-banner')).toBe('POST, OPTIONS');
    expect(await allow('/step-item/x')).toBe('GET, PUT, DELETE, HEAD, OPTIONS');
  });
});

describe('a raw request', () => {
  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', '400'],
    [
      'two lengths',
      'POST /add-step HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      '400',
    ],
    [
      'a length and chunks',
      'POST /add-step HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
    ['two hosts', 'GET /banner HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', '400'],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nhOST: x\r\nConnection: close\r\n\r\n', '400'],
    [
      'another host',
      'GET http://elsewhere.example/banner HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n',
      '400',
    ],
  ])('with %s is refused', async (_name, bytes, status) => {
    expect(await sendRaw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('a path with an encoded character before a file extension', () => {
  test.each(['%0a', '%0d', '%09', '%00', '%20', '%2f', '%5c', '%22', '%e2%80%a8', '%25'])(
    '%s gives 404',
    async (character) => {
      for (const path of ['/auth/me', '/banner', '/login', '/assets/app', '/previews/landing']) {
        const { status } = await site.visitor.get(`${path}${character}.css`);
        expect([path, status]).toEqual([path, 404]);
      }
    },
  );
});

describe('a body of a call that needs a session', () => {
  test.each([
    ['malformed', '{"stepTitle":', 'application/json'],
    ['too large', `{"a":"${'x'.repeat(20_000)}"}`, 'application/json'],
    ['of another type', 'stepTitle=x', 'application/x-www-form-urlencoded'],
  ])('is not read before the session is known: %s', async (_what, body, type) => {
    const headers = { 'Content-Type': type };
    for (const path of ['/add-step', '/auth/change-password', '/images'])
      expectProblem(
        await site.visitor.send<Problem>('POST', path, { body, headers }),
        401,
        'UNAUTHENTICATED',
      );
  });

  test('with a thousand unknown fields is answered with 20 errors', async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, 1]));
    const answer = await admin.post<Problem>('/add-step', { ...step, ...body });
    expectProblem(answer, 400, 'INVALID_INPUT');
    expect(answer.json.errors).toHaveLength(20);
  });
});

describe('session cookies and cross-site requests', () => {
  const credentials = { email: 'browser@example.com', password: 'correct horse battery' };
  let cookies: string;

  beforeAll(async () => {
    const headers = { Origin: publicUrl };
    const answer = await site.visitor.post('/auth/register', credentials, { headers });
    expect(answer.status).toBe(201);
    const set = answer.headers.getSetCookie();
    expect(set.map((cookie) => cookie.replace(/=[^;]+/, '').replace(/Expires=[^;]+; /, ''))).toEqual([
      // Recognizes this device, so that the next sign-in does not send a mail.
      'device; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax',
      'access_token; Path=/; HttpOnly; SameSite=Lax',
      'refresh_token; Path=/; HttpOnly; SameSite=Lax',
      'signed_in; Path=/; SameSite=Lax',
    ]);
    cookies = set.map((cookie) => cookie.split(';')[0]!).join('; ');
  });

  test('the cookies authenticate the browser, also behind a proxy with Basic authentication', async () => {
    const proxyHeaders: Record<string, string>[] = [{}, { Authorization: 'Basic eDp4' }];
    for (const more of proxyHeaders) {
      const me = await site.visitor.get('/auth/me', { headers: { Cookie: cookies, ...more } });
      expect([me.status, me.json]).toMatchObject([
        200,
        { account: { email: credentials.email, role: 'Customer' } },
      ]);
      expect(me.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each([
    [{}, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'https://partner.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site', Authorization: 'Basic eDp4' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Origin: publicUrl }, 200],
  ])('a refresh with cookies and %j is %i', async (headers, status) => {
    const answer = await site.visitor.send<Problem>('POST', '/auth/refresh', {
      headers: { Cookie: cookies, ...headers },
    });
    expect(answer.status).toBe(status);
    if (status === 403) expectProblem(answer, 403, 'CROSS_SITE_REQUEST');
  });

  test('another site cannot sign anybody in', async () => {
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'https://partner.example' }]) {
      expectProblem(
        await site.visitor.post<Problem>('/auth/login', credentials, { headers }),
        403,
        'CROSS_SITE_REQUEST',
      );
    }
    expect((await site.visitor.post('/auth/login', credentials)).status).toBe(200);
  });

  test('a browser whose access cookie has expired is not treated as a visitor', async () => {
    const hint = { headers: { Cookie: 'signed_in=1' } };
    expect((await site.visitor.get('/users', hint)).status).toBe(401);
    expect((await site.visitor.get('/auth/me', hint)).status).toBe(401);
    expect((await site.visitor.get('/banner', hint)).status).toBe(200);
    expect((await site.visitor.get('/users')).json).toEqual([]);
  });

  test('signing out ends the session and clears its cookies', async () => {
    const headers = { Cookie: cookies, Origin: publicUrl };
    const answer = await site.visitor.send('POST', '/auth/logout', { headers });
    expect([answer.status, answer.json]).toEqual([200, { acknowledged: true }]);
    const cleared = answer.headers.getSetCookie();
    expect(cleared.map((cookie) => cookie.split('=')[0])).toEqual([
      'access_token',
      'refresh_token',
      'signed_in',
    ]);
    for (const cookie of cleared) expect(cookie).toContain('Expires=Thu, 01 Jan 1970');
    expect((await site.visitor.get('/auth/me', { headers: { Cookie: cookies } })).status).toBe(401);
    const refresh = await site.visitor.send<Problem>('POST', '/auth/refresh', { headers });
    expectProblem(refresh, 401, 'SESSION_ENDED');
    expect((await site.visitor.send('POST', '/auth/logout')).status).toBe(200);
  });
});

test('on HTTPS the cookies of the device and of the tokens are bound to the host, and HSTS is set', async () => {
  const secure = await startGatewayWith({
    REDIS_URL: site.redis.url,
    WEB_URL: site.web.url,
    PUBLIC_URL: 'https://site.example',
  });
  const credentials = { email: 'secure@example.com', password: 'correct horse battery' };
  const answer = await Session.visitor(secure.url).post('/auth/register', credentials);
  const [device, access, refresh] = answer.headers.getSetCookie();
  expect(device).toMatch(/^__Host-device=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
  expect(access).toMatch(/^__Host-access_token=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
  expect(refresh).toMatch(/^__Host-refresh_token=.*Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
  for (const path of ['/', '/banner', '/users', '/nothing', '/assets/app-1234.js', '/dashboard']) {
    const { headers } = await Session.visitor(secure.url).get(path);
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
  }
  await secure.close();
});

describe('other origins', () => {
  const from = (origin: string) => ({ headers: { Origin: origin } });

  test('a configured origin reads the API, without credentials', async () => {
    for (const path of ['/banner', '/site-content', '/users', '/banner/x']) {
      const { headers } = await site.visitor.get(path, from('https://partner.example'));
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, 'https://partner.example']);
      expect(headers.get('access-control-expose-headers')).toContain('ETag');
      expect(headers.get('vary')).toContain('Origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('an origin that is not configured cannot read the API', async () => {
    for (const path of ['/banner', '/users']) {
      const { headers } = await site.visitor.get(path, from('https://evil.example'));
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test('a preflight lists the methods of the path', async () => {
    const ask = (origin: string, path: string) =>
      site.visitor.send('OPTIONS', path, {
        headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
      });
    const allowed = await ask('https://partner.example', '/step-item/x');
    expect([allowed.status, allowed.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, PUT, DELETE, HEAD, OPTIONS',
    ]);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('If-Match');
    expect(
      (await ask('https://evil.example', '/step-item/x')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });
});

describe('client IP addresses and other headers', () => {
  test('sign-ins are counted per client network across all gateways, and a forged address changes nothing', async () => {
    const settings = { LIMIT_SIGN_IN: '5/3600', CORS_ORIGINS: '' };
    const [first, second] = [await site.startGateway(settings), await site.startGateway(settings)];
    const answers: [status: number, hasRetryAfter: boolean][] = [];
    for (let i = 0; i < 8; i += 1) {
      const headers = {
        'X-Forwarded-For': `198.51.100.${i}`,
        Forwarded: `for=198.51.100.${i}`,
        'X-Real-IP': `198.51.100.${i}`,
      };
      // Another account each time, because failed sign-ins are counted per account, too.
      const login = { email: `nobody${i}@example.com`, password: 'wrong password' };
      const visitor = Session.visitor((i % 2 ? first : second).url);
      const answer = await visitor.post<Problem>('/auth/login', login, { headers });
      answers.push([answer.status, answer.headers.has('retry-after')]);
    }
    const [failed, limited] = [
      [401, false],
      [429, true],
    ];
    expect(answers).toEqual([failed, failed, failed, failed, failed, limited, limited, limited]);
  });

  test('behind a trusted proxy, limits count by the client network of the forwarded address', async () => {
    const gateway = await site.startGateway({ LIMIT_SIGN_UP: '1/3600', TRUSTED_PROXIES: '127.0.0.0/8, ::1' });
    const register = async (address: string, email: string) => {
      const headers = { 'X-Forwarded-For': `203.0.113.99, ${address}` };
      const body = { email, password: 'correct horse battery' };
      return (await Session.visitor(gateway.url).post('/auth/register', body, { headers })).status;
    };
    expect(await register('198.51.100.1', 'p1@example.com')).toBe(201);
    expect(await register('198.51.100.1', 'p2@example.com')).toBe(429);
    expect(await register('198.51.100.2', 'p3@example.com')).toBe(201);
  });

  test('a malformed Idempotency-Key is refused', async () => {
    for (const key of ['x'.repeat(256), 'with blank', '\t']) {
      const answer = await admin.post<Problem>('/add-step', step, { headers: { 'Idempotency-Key': key } });
      expectProblem(answer, 400, 'INVALID_INPUT');
    }
  });

  test('X-Forwarded-Host has no effect on the page’s URLs', async () => {
    const page = await site.visitor.get('/', {
      headers: { 'X-Forwarded-Host': 'evil.example', Accept: 'text/html' },
    });
    expect(page.text).toContain(publicUrl);
    expect(page.text).not.toContain('evil.example');
  });

  test.each(
    sampleEvery(3, [
      '/contact',
      '/pricing/',
      '/banner',
      '/sitemap.xml',
      '/robots.txt',
      '/no-such-page',
      '/openapi.json',
    ]),
  )('no forged header or query string appears in any visitor’s answer at %s', async (path) => {
    // A new gateway with an empty cache, which the first request could poison.
    const { url } = await site.startGateway();
    const forgedHeaders = [
      'Host',
      'X-Forwarded-Host',
      'X-Forwarded-Server',
      'X-Host',
      'X-Original-URL',
      'X-Rewrite-URL',
    ]
      .map((name) => `${name}: evil.example`)
      .concat(
        'Forwarded: host=evil.example;proto=http',
        'X-Forwarded-Proto: evil',
        'X-Forwarded-Prefix: /evil',
      );
    const request = (target: string, headers: string[]) =>
      sendRaw([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'), url);
    const first = await request(`${path}?next=//evil.example&_method=DELETE`, [
      ...forgedHeaders,
      'Accept: text/html',
    ]);
    expect(first).toMatch(/^HTTP\/1.1 (200|404) /);
    const second = await request(path, ['Host: site.test', 'Accept: text/html']);
    for (const answer of [first, second]) expect(answer).not.toMatch(/evil\.example|\/evil/);
  });
});

test('answers are counted by status', async () => {
  await site.visitor.get('/banner');
  const metrics = await (await fetch(`http://127.0.0.1:${site.gateways[0]!.healthPort}/metrics`)).text();
  expect(metrics).toMatch(/http_responses_total\{status="200",service="gateway"\} [1-9]/);
});

test('a busy port is named in the error', async () => {
  const { port } = new URL(site.url);
  const second = startGatewayWith({ REDIS_URL: site.redis.url, WEB_URL: site.web.url, PORT: port });
  await expect(second).rejects.toThrow(`PORT: 127.0.0.1:${port} is in use by another process`);
});

test('a write that is in progress when the gateway drains is answered, and its connection is closed', async () => {
  const gateway = await site.startGateway();
  const body = JSON.stringify(step);
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  const ended = once(socket, 'close');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  const head = [
    'POST /add-step HTTP/1.1',
    'Host: site.test',
    `Authorization: Bearer ${admin.bearer}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await eventually(() => expect(received).toContain('100 Continue'));
  const closed = gateway.close();
  await eventually(async () => expect(await isListening(gateway.url)).toBe(false));
  socket.write(body);
  await Promise.all([closed, ended]);
  expect(received).toContain('201 Created');
  expect(received).toMatch(/^connection: close\r$/im);
});

async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}

/** The raw answer, complete only if the bytes ask to close the connection. */
function sendRaw(bytes: string, at = site.url): Promise<string> {
  const { hostname, port } = new URL(at);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      if (received.includes('\r\n\r\n') && !bytes.includes('Connection: close')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });
}
