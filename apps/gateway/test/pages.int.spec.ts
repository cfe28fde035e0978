import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { openScreens, privateShells, publicPages } from '#libs/contracts';
import { startSite, type SiteUnderTest } from './site.harness.js';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSite({
    without: ['messaging', 'orders', 'projects'],
    seed: 'demo',
    settings: { MAP_EMBED_URL: 'https://maps.example/embed?q=' },
  });
});
afterAll(() => site?.stop());

const id = '019a0000-0000-7000-8000-000000000001';
const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const open = (path: string, headers: Record<string, string> = {}) =>
  site.visitor.get(path, { headers: { ...asBrowser.headers, ...headers } });

describe('public pages', () => {
  test.each(publicPages.map(({ path, canonical }) => [path, canonical]))(
    'are served at %s and %s, in any letter case and with any query string',
    async (path, canonical) => {
      for (const address of [path, canonical, `${path}?utm_source=x`, path.toUpperCase()]) {
        const page = await open(address!);
        expect([address, page.status]).toEqual([address, 200]);
        expect(page.text).toContain('http://site.test version');
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      }
    },
  );

  test('are rendered once, whatever the spelling of the address and the query string', async () => {
    for (let i = 0; i < 20; i += 1) await open(`/pricing/?page=${i}`);
    // Also contains the paths of the test above, which spells each address in several ways.
    const { renderedPaths } = site.web;
    expect(renderedPaths).toContain('/pricing');
    expect(new Set(renderedPaths).size).toBe(renderedPaths.length);
  });

  test('are rendered once for concurrent requests', async () => {
    const before = site.web.renderedPaths.length;
    const admin = await site.admin();
    await admin.post('/add-step', { stepTitle: 'x', stepDetails: 'x', stepNumber: '4' });
    await Promise.all(Array.from({ length: 20 }, () => open('/')));
    expect(site.web.renderedPaths.slice(before)).toEqual(['/']);
  });

  test('are revalidated by their ETag', async () => {
    const first = await open('/contact');
    const etag = first.headers.get('etag')!;
    const again = await open('/contact', { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await open('/contact', { 'If-None-Match': `"other", W/${etag}` })).status).toBe(304);
    expect((await open('/contact', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('a page whose content changes while it is rendered is sent and cached with the new content', async () => {
    const admin = await site.admin();
    const [logo] = (await site.visitor.get<{ _id: string }[]>('/logo')).json;
    await admin.put(`/logo/${logo!._id}`, { logo: '/before.svg' });
    let release = () => {};
    site.web.hold = new Promise((resolve) => (release = resolve));
    const earlier = site.web.renderedPaths.length;
    const slow = open('/terms');
    await eventually(() => expect(site.web.renderedPaths.slice(earlier)).toEqual(['/terms']));
    await admin.put(`/logo/${logo!._id}`, { logo: '/meanwhile.svg' });
    site.web.hold = undefined;
    release();
    expect((await slow).text).toContain('/meanwhile.svg');
    expect((await open('/terms')).text).toContain('/meanwhile.svg');
  });
});

describe('page or JSON at one address', () => {
  test.each([
    ['/service', 'text/html', 'html'],
    ['/service', 'application/json', 'json'],
    ['/service', '*/*', 'json'],
    ['/service/', '*/*', 'html'],
    ['/service/', 'application/json', 'json'],
    ['/pricing/', '*/*', 'html'],
    ['/pricing/', 'application/json', 'html'],
    [`/banner/${id}`, 'text/html', 'html'],
    [`/banner/${id}`, 'application/json', 'json', 404],
    ['/banner', 'text/html', 'json'],
    ['/', 'application/json', 'html'],
  ])('%s with `Accept: %s` is answered with %s', async (path, accept, kind, status = 200) => {
    const answer = await site.visitor.get(path, { headers: { Accept: accept } });
    expect(answer.headers.get('content-type')).toContain(kind);
    const isDual = path.startsWith('/service') || path.startsWith('/banner/');
    if (isDual) expect(answer.headers.get('vary')).toContain('Accept');
    const cacheControl = isDual ? 'private, no-cache' : 'public, no-cache';
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      status,
      status === 404 ? 'no-store' : cacheControl,
    ]);
  });
});

describe('screens that are open to everyone', () => {
  test.each(openScreens)(
    '%s is rendered with the site’s logo, and neither kept by shared caches nor indexed',
    async (path) => {
      const [first, again] = [await open(path), await open(`${path}/?next=/account`)];
      for (const { status, text } of [first, again])
        expect([status, text]).toEqual([200, expect.stringMatching(/version \d+ \[\{.*"logo":/)]);
      expect(site.web.renderedPaths.filter((rendered) => rendered === path)).toHaveLength(1);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      expect(first.headers.get('x-robots-tag')).toBe('noindex');
      expect(first.headers.get('content-security-policy')).toContain("script-src 'self'");
    },
  );

  test('are shells while the renderer does not answer', async () => {
    const gateway = await site.startGateway();
    let release = () => {};
    site.web.hold = new Promise((resolve) => (release = resolve));
    const answer = await site.visitor.at(gateway.url).get('/login', asBrowser);
    site.web.hold = undefined;
    release();
    expect([answer.status, answer.text]).toEqual([200, '<!doctype html><title>shell</title>']);
    expect((await site.visitor.at(gateway.url).get('/login', asBrowser)).text).toContain('"logo":');
  });
});

test('while the renderer fails, screens that are open to everyone are shells, and the gateway does not ask the renderer each time', async () => {
  let renders = 0;
  const failing = createServer((call, response) => {
    if (call.url === '/build') return void response.end(JSON.stringify(site.web.build));
    renders += 1;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
  const WEB_URL = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
  try {
    const { url } = await site.startGateway({ WEB_URL });
    for (const path of openScreens) {
      const answer = await site.visitor.at(url).get(path, asBrowser);
      expect([path, answer.status, answer.text]).toEqual([path, 200, '<!doctype html><title>shell</title>']);
    }
    expect(renders).toBeLessThan(openScreens.length);
  } finally {
    failing.closeAllConnections();
    failing.close();
  }
});

describe('shells', () => {
  test.each(privateShells)('are served at %s', async (pattern) => {
    for (const path of [pattern.replace(':id', id), `${pattern.replace(':id', id)}/`]) {
      const answer = await open(path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, '<!doctype html><title>shell</title>']);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    }
  });

  test('an id alone as the path opens the screen that edits the section About, and unknown paths are not found', async () => {
    expect((await open(`/${id}`)).text).toContain('shell');
    for (const path of ['/nothing', '/no/such/page', '/Nothing/?x=1', '/wp-admin/']) {
      const answer = await open(path);
      expect([path, answer.status, answer.text.includes('/page-not-found')]).toEqual([path, 404, true]);
      const asJson = await site.visitor.get(path, { headers: { Accept: 'application/json' } });
      expect(asJson.headers.get('content-type')).toContain('application/problem+json');
      // A cache must not return HTML to clients that asked for JSON, or the other way round.
      for (const { headers } of [answer, asJson]) expect(headers.get('vary')).toMatch(/\bAccept(,|$)/);
    }
    // All unknown paths share one page. It is rendered up to three times if content changes during the rendering.
    expect(site.web.renderedPaths.filter((path) => path === '/page-not-found').length).toBeLessThanOrEqual(3);
  });
});

describe('files about the site', () => {
  test.each([
    ['/robots.txt', 'text/plain', 'Sitemap: http://site.test/sitemap.xml'],
    ['/sitemap.xml', 'application/xml', '<loc>http://site.test/pricing/</loc>'],
    ['/site.webmanifest', 'application/manifest+json', '"name":"Northrank"'],
  ])('include %s, which the gateway generates', async (path, type, content) => {
    const answer = await site.visitor.get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(answer.text).toContain(content);
    expect((await site.visitor.get(`${path}?x=1`)).text).toBe(answer.text);
    const etag = answer.headers.get('etag')!;
    const again = await site.visitor.get(path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await site.visitor.post(path, {})).status).toBe(405);
    expect(site.web.proxiedRequests.map(({ url }) => url)).not.toContain(path);
  });
});

describe('the preview pictures of shared links', () => {
  const guess = '/previews/landing-0000000000000000.png';
  const ask = (path: string) => fetch(`${site.url}${path}`, { redirect: 'manual' });

  test('are drawn once, and cached forever at their own address', async () => {
    const moved = await ask(guess);
    expect(moved.status).toBe(302);
    const address = moved.headers.get('location')!;
    expect(address).toMatch(/^\/previews\/landing-[0-9a-f]{16}\.png$/);
    const before = site.web.previewedPaths.length;
    for (let i = 0; i < 5; i += 1) {
      const answer = await ask(address);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-robots-tag')).toBeNull();
      expect(await answer.text()).toContain('picture of Climb');
    }
    expect(site.web.previewedPaths.length).toBe(before);
  });

  test('have another address once the heading changes, and the old address still works', async () => {
    const old = (await ask(guess)).headers.get('location')!;
    const admin = await site.admin();
    const [banner] = (await site.visitor.get<{ _id: string }[]>('/banner')).json;
    await admin.put(`/update-banner/${banner!._id}`, { ...banner, bannerHeading: 'Another heading' });
    const renewed = (await ask(guess)).headers.get('location')!;
    expect(renewed).not.toBe(old);
    expect(await (await ask(renewed)).text()).toBe('picture of Another heading');
    expect((await ask(old)).status).toBe(200);
  });

  test('are drawn at most once, however many addresses are guessed; unknown pages and malformed addresses are not found', async () => {
    const before = site.web.previewedPaths.length;
    for (let i = 10; i < 40; i += 1)
      expect((await ask(`/previews/landing-00000000000000${i}.png`)).status).toBe(302);
    expect(site.web.previewedPaths.length).toBeLessThanOrEqual(before + 1);
    for (const path of [
      '/previews/nothing-0000000000000000.png',
      '/previews/landing.png',
      '/previews/landing-1.png',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });
});

describe('search engines', () => {
  test.each(['/login', '/dashboard', `/banner/${id}`, '/nothing', '/admin'])(
    'must not index the HTML at %s',
    async (path) => {
      expect((await open(path)).headers.get('x-robots-tag')).toBe('noindex');
    },
  );

  test.each(['/banner', '/site-content', '/users', '/openapi.json', '/no/such/page'])(
    'must not index the answer of %s',
    async (path) => {
      const answer = await site.visitor.get(path, { headers: { Accept: 'application/json' } });
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    },
  );

  test.each(publicPages)('may index $path', async ({ path }) => {
    expect((await open(path)).headers.get('x-robots-tag')).toBeNull();
  });
});

describe('assets', () => {
  test('come from memory, whatever the query string', async () => {
    for (const path of ['/assets/app-1234.js', '/assets/app-1234.js?v=1']) {
      const answer = await site.visitor.get(path);
      expect([answer.status, answer.text]).toEqual([200, 'export {};']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const etag = answer.headers.get('etag')!;
      expect((await site.visitor.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    }
    expect(site.web.proxiedRequests.map(({ url }) => url)).not.toContain('/assets/app-1234.js');
  });

  test('that only the web process has are proxied, without cookies of the web process and without credentials of the client', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { Cookie: 'access_token=secret', Authorization: 'Bearer secret', traceparent };
    const answer = await site.visitor.get('/assets/newer-1234.js?v=1', { headers });
    expect([answer.status, answer.text]).toEqual([200, 'export {};']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    for (const name of ['set-cookie', 'x-powered-by']) expect(answer.headers.get(name)).toBeNull();
    const seen = site.web.proxiedRequests.findLast(({ url }) => url.startsWith('/assets/'))!;
    expect(seen.url).toBe('/assets/newer-1234.js?v=1');
    for (const name of ['cookie', 'authorization', 'traceparent']) expect(seen.headers[name]).toBeUndefined();
  });

  test('an unknown file is 404', async () => {
    for (const path of ['/favicon.ico', '/assets/nothing-1234.js'])
      expect([path, (await open(path)).status]).toEqual([path, 404]);
  });
});

test('a new build of the web process is used, and the files of the former build stay available', async () => {
  const { build } = site.web;
  const files = { '/assets/app-5678.js': { ...build.files['/assets/app-1234.js']!, body: btoa('other') } };
  const shells = { ...build.shells, '/dashboard': '<!doctype html><title>another shell</title>' };
  const before = site.web.renderedPaths.length;
  site.web.build = { version: 'second', files, shells };
  await eventually(async () => expect((await open('/dashboard')).text).toContain('another shell'));
  expect((await open('/assets/app-5678.js')).text).toBe('other');
  expect((await open('/assets/app-1234.js')).text).toBe('export {};');
  await eventually(async () => {
    await open('/');
    expect(site.web.renderedPaths.slice(before)).toContain('/');
  });
});

describe('HEAD is GET without the body', () => {
  test.each([
    '/',
    '/banner',
    '/service/',
    '/service-items',
    '/docs',
    '/openapi.json',
    '/users',
    '/no-such-page',
    '/dashboard',
    `/banner/${id}`,
  ])('%s', async (path) => {
    const headers = { 'Accept-Encoding': 'identity' };
    const get = await site.visitor.get(path, { headers });
    const head = await site.visitor.send('HEAD', path, { headers });
    expect([head.status, head.text]).toEqual([get.status, '']);
    const names = [
      'content-type',
      'etag',
      'cache-control',
      'vary',
      'content-length',
      'content-security-policy',
    ];
    for (const name of names) expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });
});

test('pages are compressed from the first request on, and other large answers once compression has finished', async () => {
  const inBrotli = async (path: string) => {
    const headers = await headersFor(path, 'gzip, deflate, br');
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    return headers;
  };
  // A new version of the content, of which nothing is compressed yet.
  const admin = await site.admin();
  await admin.post('/add-step', { stepTitle: 'y', stepDetails: 'y', stepNumber: '5' });
  for (const [path, brotli] of [
    ['/', await inBrotli('/')],
    ['/site-content', await eventually(() => inBrotli('/site-content'))],
  ] as const) {
    const plain = await headersFor(path, 'identity');
    expect(plain['content-encoding']).toBeUndefined();
    expect((await headersFor(path, 'gzip, br;q=0'))['content-encoding']).toBe('gzip');
    expect(new Set([plain.etag, brotli.etag]).size).toBe(2);
    expect(Number(brotli['content-length'])).toBeLessThan(Number(plain['content-length']));
  }
});

/** Discards the body. `site.visitor` cannot be used here, because it would parse the body and fail on compressed JSON. */
function headersFor(path: string, acceptEncoding: string): Promise<Record<string, string | undefined>> {
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': acceptEncoding };
    request(`${site.url}${path}`, { headers }, (response) => {
      response.resume().on('end', () => resolve(response.headers as Record<string, string>));
    })
      .on('error', reject)
      .end();
  });
}
