import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { get, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { shellPaths, type WebBuild, webBuildHeader } from '#libs/contracts';
import { createLogger, type InSpan } from '#libs/platform';
import { eventually } from '#libs/testing';
import type { DescribedPage, PageRequest } from '../src/lib/rendering.js';
import { readAssets } from './assets.js';
import { drawLinkPreview } from './preview/draw-preview.js';
import { createRenderer } from './renderer.js';

const script = 'export const greeting = "hello";\n'.repeat(40);
let folder: string;
let server: Server;
let url: string;
const rendered: PageRequest[] = [];
let shellCountAtStart: number;
const spans: Omit<Parameters<InSpan>[0], 'attributes'>[] = [];
let endedSpanCount = 0;
const answers: [string, number][] = [];
const logged: string[] = [];

const describePage = ({ path }: PageRequest): DescribedPage => {
  const title = 'A "title" & <more>';
  return path === '/'
    ? { status: 200, meta: { name: 'Landing', heading: title, title, canonical: '/', indexed: true } }
    : { status: 404, meta: { heading: title, title, indexed: false } };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
  await writeFile(join(folder, 'assets', 'entry-1a2b.js'), script);
  await writeFile(join(folder, 'assets', 'entry-1a2b.js.gz'), gzipSync(script));
  const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await writeFile(join(folder, 'favicon.svg'), icon);
  await writeFile(join(folder, 'favicon.svg.br'), brotliCompressSync(icon));
  server = await createRenderer({
    pages: {
      describePage,
      renderPage: (request) => {
        rendered.push(request);
        return Promise.resolve({
          ...describePage(request),
          markup: `<h1>${request.path}</h1>`,
          preloads: '',
          data: '{}',
          hydrates: true,
          structuredData: '{}',
          modules: ['src/features/landing/landing.route.tsx'],
        });
      },
    },
    drawLinkPreview,
    assets: await readAssets(folder),
    manifest: {
      'src/boot.ts': { file: 'assets/boot-1a2b.js' },
      'src/entry-client.tsx': {
        file: 'assets/entry.js',
        imports: ['_react.js'],
        css: ['assets/base.css'],
      },
      '_react.js': { file: 'assets/react.js' },
      'src/styles/fonts/bricolage-grotesque-basic.woff2': { file: 'assets/headings.woff2' },
      'src/features/landing/landing.route.tsx': {
        file: 'assets/landing.js',
        imports: ['_react.js', 'src/entry-client.tsx'],
        css: ['assets/landing.css'],
      },
    },
    publicUrl: 'https://agency.example',
    mapEmbedUrl: null,
    google: true,
    inSpan: (options, work) => {
      spans.push(options);
      return work(options.parent).finally(() => (endedSpanCount += 1));
    },
    onAnswer: (kind, status) => answers.push([kind, status]),
    logger: createLogger('web', 'error', { write: (line) => logged.push(line) }),
    maxBodyBytes: 10_000,
  });
  shellCountAtStart = rendered.length;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const render = (body: string) => fetch(`${url}/render`, { method: 'POST', body });
const renderRequest = { path: '/', publicUrl: 'https://other.example', site: { version: 1, sections: {} } };

describe('pages', () => {
  test('a render request is answered with a document and the page’s status', async () => {
    const response = await render(JSON.stringify(renderRequest));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).toContain('<title>A &#34;title&#34; &#38; &#60;more&#62;</title>');
    expect(html).toContain('<link rel="canonical" href="https://other.example/">');
    expect(html).toContain('<div id="root"><h1>/</h1></div>');
    const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1]);
    expect(styles).toEqual(['/assets/base.css', '/assets/landing.css']);
    expect(html).toContain(
      '<script type="module" src="/assets/boot-1a2b.js" data-modules="/assets/entry.js /assets/react.js /assets/landing.js">',
    );
    expect(html).toContain(
      '<link rel="preload" as="font" type="font/woff2" href="/assets/headings.woff2" crossorigin="anonymous">',
    );
  });

  test('a missing page has status 404 and noindex', async () => {
    const response = await render(JSON.stringify({ ...renderRequest, path: '/nowhere' }));
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<meta name="robots" content="noindex">');
  });

  test('a page names the address of its link preview; a missing page has no preview', async () => {
    const html = await (await render(JSON.stringify(renderRequest))).text();
    const preview = (path: string) =>
      fetch(`${url}/preview`, { method: 'POST', body: JSON.stringify({ ...renderRequest, path }) });
    const response = await preview('/');
    const image = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(html).toContain(
      `<meta property="og:image" content="https://other.example${response.headers.get('content-location')}">`,
    );
    expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect((await preview('/nowhere')).status).toBe(404);
  });

  test('an address outside of /assets/ at which there is no file is answered with a shell', async () => {
    // The addresses in `shellPaths` were also rendered for the build, so the test asks for another one.
    const response = await fetch(`${url}/any-screen?tab=1`);
    expect(await response.text()).toContain('<h1>/any-screen</h1>');
    expect(rendered.filter(({ path }) => path.startsWith('/any-screen'))).toEqual([
      {
        path: '/any-screen',
        publicUrl: 'https://agency.example',
        mapEmbedUrl: null,
        google: true,
        content: null,
      },
    ]);
  });

  test.each([
    ['invalid JSON', '{', 400],
    ['no path', JSON.stringify({ ...renderRequest, path: undefined }), 400],
    ['a publicUrl that is not a URL', JSON.stringify({ ...renderRequest, publicUrl: 'agency' }), 400],
    ['a path of another site', JSON.stringify({ ...renderRequest, path: 'https://evil.example' }), 400],
    ['too long a body', JSON.stringify({ ...renderRequest, padding: 'x'.repeat(10_000) }), 413],
  ])('a render request with %s is refused', async (_what, body, status) => {
    expect((await render(body)).status).toBe(status);
  });

  test('methods that the renderer does not support are refused', async () => {
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
  });
});

describe('files', () => {
  test('a hashed file is cached forever and compressed', async () => {
    const response = await fetch(`${url}/assets/entry-1a2b.js`, {
      headers: { 'accept-encoding': 'gzip;q=0.5, br' },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await response.text()).toBe(script);
  });

  test('a client that refuses compression gets the file uncompressed', async () => {
    const response = await fetch(`${url}/assets/entry-1a2b.js`, {
      headers: { 'accept-encoding': 'gzip;q=0' },
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(Number(response.headers.get('content-length'))).toBe(script.length);
  });

  test('an unchanged file gets status 304', async () => {
    const first = await fetch(`${url}/favicon.svg`);
    expect(first.headers.get('cache-control')).toContain('max-age=3600');
    const etag = first.headers.get('etag')!;
    const again = await fetch(`${url}/favicon.svg`, { headers: { 'if-none-match': `W/${etag}` } });
    expect(again.status).toBe(304);
  });

  /** `fetch` would resolve the `..` of a path itself. */
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port: new URL(url).port, path }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).once('error', reject);
    });

  test('the manifest, files outside of the folder, and the compressed files (.gz, .br) themselves are not served', async () => {
    for (const path of [
      '/.vite/manifest.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
    ])
      expect(await statusOf(path)).toBe(404);
    const { status, headers } = await fetch(`${url}/assets/entry-1a2b.js.gz`);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
    // Outside of /assets/, this is the address of an unknown screen.
    const shell = await fetch(`${url}/favicon.svg.br`);
    expect(await shell.text()).toContain('<h1>/favicon.svg.br</h1>');
  });
});

describe('the build', () => {
  const ask = (headers: Record<string, string> = {}) => fetch(`${url}/build`, { headers });

  test('contains every file and every shell', async () => {
    const { files, shells: builtShells } = (await (await ask()).json()) as WebBuild;
    expect(Object.keys(files)).toEqual(['/assets/entry-1a2b.js', '/favicon.svg']);
    expect(files['/assets/entry-1a2b.js']).toMatchObject({
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
      body: Buffer.from(script).toString('base64'),
    });
    expect(Object.keys(builtShells)).toEqual([...shellPaths]);
    expect(builtShells['/order-now/:id']).toContain(
      '<h1>/order-now/00000000-0000-4000-8000-000000000000</h1>',
    );
  });

  test('is complete before the server listens, so that no page waits for it', () => {
    expect(shellCountAtStart).toBe(shellPaths.length);
  });

  test('has a version, which a rendered page names', async () => {
    const etag = (await ask()).headers.get('etag')!;
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    const page = await render(JSON.stringify(renderRequest));
    expect(`"${page.headers.get(webBuildHeader)}"`).toBe(etag);
  });
});

test.each([
  ['POST', '/render', JSON.stringify(renderRequest), 'render', 200],
  ['POST', '/render', '{', 'render', 400],
  ['GET', '/assets/entry-1a2b.js', undefined, 'asset', 200],
  // The fake `describePage` answers 404 for every path except `/`.
  ['GET', '/order-now/019a0000-0000-7000-8000-000000000001?from=mail', undefined, 'shell', 404],
])('%s %s is reported with its kind, and is part of the caller’s trace', async (...row) => {
  const [method, path, body, kind, status] = row;
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await (await fetch(url + path, { method, body, headers: { traceparent } })).arrayBuffer();
  expect(spans.at(-1)).toEqual({ kind: 'server', name: `${method} ${kind}`, parent: traceparent });
  await eventually(() => expect(answers.at(-1)).toEqual([kind, status]));
});

test('a caller that gives up before its request is complete is neither counted nor logged', async () => {
  const [spanCount, answerCount] = [spans.length, answers.length];
  const upload = request(`${url}/render`, { method: 'POST', headers: { 'content-length': 100 } });
  const failed = new Promise((resolve) => upload.once('error', resolve));
  upload.write('{');
  await eventually(() => expect(spans.length).toBe(spanCount + 1));
  upload.destroy();
  await failed;
  await eventually(() => expect(endedSpanCount).toBe(spanCount + 1));
  await (await render('{')).text();
  await eventually(() => expect(answers.slice(answerCount)).toEqual([['render', 400]]));
  expect(logged).toEqual([]);
});
