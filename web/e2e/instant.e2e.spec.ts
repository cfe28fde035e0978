import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publicPages } from '#libs/contracts';
import { eventually, sampleEvery, TestBrowser, testStack, fullTest } from '#libs/testing';
import { visit } from './visit.js';

const { url } = testStack();

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

interface RawAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** `fetch` would decompress the answer. */
function get(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    httpGet(url + path, { headers: { accept: 'text/html', ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
    }).on('error', reject);
  });
}

async function inEncoding(path: string, encoding: string): Promise<RawAnswer> {
  const answer = await get(path, { 'accept-encoding': encoding });
  expect(answer.headers['content-encoding']).toBe(encoding);
  return answer;
}

describe.each(publicPages)('$path', ({ path }) => {
  test('is the same page in every encoding, and each encoding has its own ETag and can be revalidated', () =>
    // Repeated, because a page is sent uncompressed at first, and other specs change this site's content for a while.
    eventually(async () => {
      const plain = await get(path, { 'accept-encoding': 'identity' });
      const brotli = await inEncoding(path, 'br');
      const gzip = await inEncoding(path, 'gzip');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(String(brotliDecompressSync(brotli.body))).toBe(String(plain.body));
      expect(String(gunzipSync(gzip.body))).toBe(String(plain.body));
      expect(brotli.body.length).toBeLessThan(gzip.body.length);
      expect(brotli.body.length).toBeLessThan(plain.body.length / 3);
      const answers = [plain, brotli, gzip];
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
      for (const { headers, body } of answers) {
        expect(headers.vary).toContain('Accept-Encoding');
        expect(Number(headers['content-length'])).toBe(body.length);
        const again = await get(path, {
          'if-none-match': headers.etag!,
          'accept-encoding': headers['content-encoding'] ?? 'identity',
        });
        expect([again.status, again.body.length]).toEqual([304, 0]);
        expect(again.headers.vary).toContain('Accept-Encoding');
      }
    }));

  test('has files that are cached forever; its scripts and styles are compressed, except tiny ones', async () => {
    const html = String((await get(path)).body);
    const files = [...html.matchAll(/["\s](\/assets\/[^"\s]+)/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const answer = await get(file, { 'accept-encoding': 'br' });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      if (/\.(js|css)$/.test(file) && answer.body.length > 500)
        expect([file, answer.headers['content-encoding']]).toEqual([file, 'br']);
    }
  });
});

describe.each(sampleEvery(3, publicPages))('$path', ({ path }) => {
  test('names styles, scripts and the largest picture in its head, so that nothing is requested late', async () => {
    const html = String((await get(path)).body);
    const head = html.slice(0, html.indexOf('</head>'));
    const page = await browser.openPage({ baseURL: url });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit(page, path);
    const scriptsAndStyles = asked.filter((file) => /\.(js|css)$/.test(file));
    expect(scriptsAndStyles.length).toBeGreaterThan(3);
    for (const file of new Set(scriptsAndStyles)) expect(head.split(/["\s]/)).toContain(file);
    const largest = await largestPicture(page);
    if (largest) {
      expect(head).toMatch(
        new RegExp(`<link rel="preload" as="image" href="${largest}"[^>]*fetchpriority="high"`, 'i'),
      );
    }
    await page.context().close();
  });
});

test('a page is painted before it loads the application, and it loads only one font', async () => {
  const page = await browser.openPage({ baseURL: url });
  // Disables the timer of `web/src/boot.ts` that loads the application even before the first paint: a busy machine may take seconds to paint.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (work: () => void, ms?: number) => (ms && ms >= 1000 ? 0 : setTimeout(work, ms)),
    });
  });
  await visit(page, '/');
  const { painted, scripts, fonts } = await page.evaluate(() => {
    const files = performance
      .getEntriesByType('resource')
      .map(({ name, startTime }) => ({ name, startTime }));
    return {
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      scripts: files.filter(({ name }) => /\/assets\/(?!boot-).*\.js$/.test(name)),
      fonts: files.filter(({ name }) => name.endsWith('.woff2')),
    };
  });
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter(({ startTime }) => startTime < painted)).toEqual([]);
  expect(fonts).toHaveLength(1);
  await page.context().close();
});

/** Path of the picture that is the largest contentful paint; undefined if that is text. */
function largestPicture(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () =>
      new Promise<string | undefined>((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1) as (PerformanceEntry & { url?: string }) | undefined;
          resolve(last?.url ? new URL(last.url).pathname : undefined);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

describe('navigating', () => {
  /** Pictures and the icon do not count: pictures load when they are scrolled into view, and the browser may request the icon at any time. */
  const isNotImage = (file: string) => !/^\/(demo|images|favicon)/.test(file);

  async function openLandingPage() {
    const page = await browser.openPage({ baseURL: url });
    const asked: string[] = [];
    await visit(page, '/');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    return { page, asked };
  }

  test.each([
    [
      'pointing at a link',
      (page: Page) => page.locator('header').getByRole('link', { name: 'Pricing' }).first().hover(),
    ],
    [
      'focusing a link by keyboard',
      (page: Page) => page.locator('footer').getByRole('link', { name: 'Pricing' }).focus(),
    ],
  ])('%s prefetches the page’s code, and following the link fetches nothing more', async (_how, approach) => {
    const { page, asked } = await openLandingPage();
    await approach(page);
    await eventually(() => expect(asked.some((file) => /\/pricing[^/]*\.js$/.test(file))).toBe(true));
    await page.waitForLoadState('networkidle');
    const before = asked.length;
    await page.locator('footer').getByRole('link', { name: 'Pricing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(asked.slice(before).filter(isNotImage)).toEqual([]);
    await page.context().close();
  });

  fullTest('pointing at a link to another site fetches nothing', async () => {
    const { page, asked } = await openLandingPage();
    await page.locator('footer').getByRole('link', { name: 'Facebook' }).hover();
    await page.waitForLoadState('networkidle');
    expect(asked.filter(isNotImage)).toEqual([]);
    await page.context().close();
  });
});
