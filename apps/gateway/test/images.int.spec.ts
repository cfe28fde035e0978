import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import type { Image } from '#libs/contracts';
import { allSections } from '#libs/content-model';
import { FolderStorage } from '#libs/file-storage';
import { createLogger } from '#libs/platform';
import { eventually, sampleBody, type Session } from '#libs/testing';
import { Broadcaster, RpcClient } from '#libs/transport';
import { SystemClock } from '#libs/runtime';
import { ImageSweeper } from '../images/image-sweeper.js';
import { ImageUploads } from '../images/image-uploads.js';
import type { Problem } from '../problem/problem.js';
import { adminCredentials, publicUrl, startSite, type SiteUnderTest } from './site.harness.js';

const limitBytes = 256 * 1024;
const banner = allSections.find(({ name }) => name === 'banner')!;
const unknownImageAddress = '/images/019a0000-0000-7000-8000-00000000dead/1600x900.jpg';

let site: SiteUnderTest;
let admin: Session;
let logo: Image;

beforeAll(async () => {
  site = await startSite({
    processes: ['content'],
    without: ['messaging', 'orders', 'projects'],
    gateways: 2,
    settings: { IMAGE_LIMIT_BYTES: String(limitBytes) },
  });
  admin = await site.admin();
  logo = (await upload(await picture('#ff0000'), 'name=logo.png&alt=Our%20logo')).json;
});
afterAll(() => site?.stop());

/** Each colour gives a different picture. */
const picture = (background: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background } })
    .png()
    .toBuffer();

const upload = (body: Uint8Array, query = '', headers: Record<string, string> = {}, at = site.url) =>
  admin.at(at).send<Image & Problem>('POST', `/images?${query}`, { body, headers });

/** The names of everything in the storage folder, including leftovers of uploads. */
const stored = async () => (await readdir(site.filesDir)).sort();

const library = async () => (await admin.get<Image[]>('/images')).json;

describe('an uploaded picture', () => {
  test('is described with its size, its files and its texts', () => {
    expect(logo).toMatchObject({
      address: `/images/${logo._id}/200x100.jpg`,
      name: 'logo.png',
      alt: 'Our logo',
      width: 200,
      height: 100,
      uses: [],
      version: 1,
      insertedId: logo._id,
    });
    expect(logo.files.map(({ name }) => name)).toEqual([
      ...['200x100.jpg', '160.avif', '160.webp', '200.avif', '200.webp'],
    ]);
  });

  test.each([
    ['200x100.jpg', 'image/jpeg', 'jpeg'],
    ['160.avif', 'image/avif', 'heif'],
    ['200.webp', 'image/webp', 'webp'],
  ])('is served to everybody as %s, cached for a year, and runs no script', async (name, type, format) => {
    for (const { url } of site.gateways) {
      const answer = await fetch(`${url}/images/${logo._id}/${name}?ignored`);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-disposition': `inline; filename="${name}"`,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        etag: expect.stringMatching(/^"[\w-]+"$/),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(body).metadata()).toMatchObject({ format });
      const again = await fetch(answer.url, { headers: { 'If-None-Match': answer.headers.get('etag')! } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  test.each([
    ['another width', () => `/images/${logo._id}/320.webp`],
    ['another format', () => `/images/${logo._id}/160.svg`],
    ['an unknown picture', () => unknownImageAddress],
    ['a path out of the storage', () => `/images/${logo._id}/..%2f..%2f..%2fetc%2fpasswd`],
    ['a path out of the storage, encoded twice', () => `/images/%252e%252e/${logo._id}/160.webp`],
    // Only admins may call the API at this path, so a visitor gets 401 instead of 404.
    ['a folder', () => `/images/${logo._id}/`, 401],
    ['a temporary file of an upload', () => `/images/.unfinished-1/160.webp`],
    ['a NUL', () => `/images/${logo._id}/160.webp%00.jpg`],
  ])('is not served at a wrong address: %s', async (_what, path, status = 404) => {
    const unfinished = join(site.filesDir, '.unfinished-1');
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, '160.webp'), await picture('#0000ff'));
    const answer = await fetch(site.url + path(), { headers: { Accept: 'image/*' } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^(application\/problem\+json|text\/html);/);
  });

  test('is stored once, however often and at whichever gateway its bytes arrive', async () => {
    const bytes = await picture('#00ff00');
    const before = await stored();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => upload(bytes, `name=${i}.png`, {}, site.gateways[i % 2]!.url)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json._id)).size).toBe(1);
    expect(await stored()).toEqual([...before, answers[0]!.json._id].sort());
  });

  test('is refused if its Idempotency-Key was used for other bytes', async () => {
    const headers = { 'Idempotency-Key': 'one-upload' };
    const first = await upload(await picture('#0000ff'), '', headers);
    const second = await upload(await picture('#0000ff'), '', headers);
    expect([first.status, second.status, second.json._id]).toEqual([201, 201, first.json._id]);
    const other = await upload(await picture('#0000fe'), '', headers);
    expect([other.status, other.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('may have any file name and content type, which do not affect where it is stored', async () => {
    const before = await readdir(site.filesDir);
    const query = `name=${encodeURIComponent('../../../etc/cron.d/x.png')}`;
    const answer = await upload(await picture('#101010'), query, { 'Content-Type': 'text/html' });
    expect([answer.status, answer.json.name]).toEqual([201, 'x.png']);
    const added = (await readdir(site.filesDir)).filter((name) => !before.includes(name));
    expect(added).toEqual([answer.json._id]);
  });
});

describe('uploads that add no picture', () => {
  let before: { library: number; stored: string[] };
  const currentState = async () => ({ library: (await library()).length, stored: await stored() });
  beforeAll(async () => {
    before = await currentState();
  });

  const stream = (chunk: Uint8Array, count: number) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
  /** Without a Content-Length. */
  const streamed = (chunk: Uint8Array, count: number) =>
    fetch(`${site.url}/images`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.bearer}`, Accept: 'application/json' },
      body: stream(chunk, count),
      duplex: 'half',
    } as RequestInit);

  test.each([
    ['an empty file', () => Buffer.alloc(0), /empty/],
    ['text', () => Buffer.from('this is no picture'), /must be a JPEG/],
    ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /must be a JPEG/],
    ['half a picture', async () => (await picture('#123456')).subarray(0, 120), /damaged/],
  ])('%s is refused', async (_what, bytes, sentence) => {
    const { status, json } = await upload(await bytes(), 'name=fine.png', { 'Content-Type': 'image/png' });
    expect([status, json]).toMatchObject([
      400,
      { code: 'INVALID_INPUT', errors: [{ field: 'image', message: expect.stringMatching(sentence) }] },
    ]);
  });

  test('texts that are too long or have several lines are refused', async () => {
    const query = `alt=${'x'.repeat(501)}&name=${encodeURIComponent('a\nb')}`;
    const { status, json } = await upload(await picture('#123456'), query);
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([400, ['name', 'alt']]);
  });

  test('more bytes than the limit are refused, with or without a Content-Length', async () => {
    const withLength = await upload(Buffer.alloc(limitBytes + 1));
    expect([withLength.status, withLength.json.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const withoutLength = await streamed(Buffer.alloc(64 * 1024), 6);
    expect(withoutLength.status).toBe(413);
  });

  test('a picture without a Content-Length is accepted', async () => {
    // The logo, which is stored already.
    const answer = await streamed(await picture('#ff0000'), 1);
    expect([answer.status, ((await answer.json()) as Image)._id]).toEqual([201, logo._id]);
  });

  test('an upload that its sender aborts leaves nothing behind', async () => {
    const received = jest.spyOn(ImageUploads.prototype, 'upload');
    const { port } = new URL(site.url);
    const socket = connect(Number(port), 'localhost');
    const head = [
      'POST /images HTTP/1.1',
      'Host: site.test',
      `Authorization: Bearer ${admin.bearer}`,
      'Content-Type: image/png',
      'Content-Length: 100000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(Buffer.alloc(50_000));
    await eventually(() => {
      const { socket: atGateway } = received.mock.calls[0]![0].body as IncomingMessage;
      expect(atGateway.bytesRead).toBeGreaterThan(50_000);
    });
    socket.destroy();
    await expect(received.mock.results[0]!.value).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    received.mockRestore();
    expect(await currentState()).toEqual(before);
  });

  test('an upload that another site triggers in an admin’s browser is refused', async () => {
    const answer = await site.visitor.post('/auth/login', adminCredentials, {
      headers: { Origin: publicUrl },
    });
    const Cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0]!)
      .join('; ');
    const bytes = await picture('#654321');
    const crossSiteHeaders: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      // A request with cookies must show where it comes from.
      {},
    ];
    for (const crossSite of crossSiteHeaders) {
      const refused = await site.visitor.send<Problem>('POST', '/images', {
        body: bytes,
        headers: { ...crossSite, Cookie },
      });
      expect([refused.status, refused.json.code]).toEqual([403, 'CROSS_SITE_REQUEST']);
    }
  });

  test('leave the library and the storage unchanged', async () => {
    expect(await currentState()).toEqual(before);
  });
});

describe('the library', () => {
  test('is searched and paged', async () => {
    const found = await admin.get<Image[]>('/images?search=OUR%20logo&limit=1');
    expect([found.json.map(({ _id }) => _id), found.headers.get('x-total-count')]).toEqual([[logo._id], '1']);
    const all = await library();
    const page = await admin.get<Image[]>('/images?limit=1&page=2');
    expect(page.json.map(({ _id }) => _id)).toEqual([all[1]!._id]);
    expect(page.headers.get('link')).toMatch(/rel="next"/);
  });

  test('a picture’s description can be changed later; a change with an outdated version, or with invalid or unknown fields, is refused', async () => {
    const read = (await admin.get<Image>(`/images/${logo._id}`)).json;
    const change = { ...read, alt: 'The logo: a ladder' };
    const changed = await admin.put<Image>(`/images/${logo._id}`, change, { headers: { 'If-Match': '"1"' } });
    expect([changed.status, changed.json]).toMatchObject([200, { alt: 'The logo: a ladder', version: 2 }]);
    const stale = await admin.put(`/images/${logo._id}`, change, { headers: { 'If-Match': '"1"' } });
    expect([stale.status, stale.json]).toMatchObject([412, { current: { version: 2 } }]);
    const bad = await admin.put(`/images/${logo._id}`, { name: '', alt: 7, nonsense: 1 });
    expect([bad.status, bad.json]).toMatchObject([
      400,
      { errors: [{ field: 'name' }, { field: 'alt' }, { field: 'nonsense' }] },
    ]);
  });
});

describe('a picture on the site', () => {
  const imageTexts = async (url = site.url) =>
    ((await (await fetch(`${url}/site-content`)).json()) as { imageTexts: Record<string, string> })
      .imageTexts;
  let bannerId: string;

  test('may be used in a record, but the address of an unknown picture may not', async () => {
    const refused = await admin.post(banner.routes.create, {
      ...sampleBody(banner),
      bannerImage: unknownImageAddress,
    });
    expect([refused.status, refused.json]).toMatchObject([400, { errors: [{ field: 'bannerImage' }] }]);
    const created = await admin.post<{ _id: string }>(banner.routes.create, {
      ...sampleBody(banner),
      bannerImage: logo.address,
    });
    expect(created.status).toBe(201);
    bannerId = created.json._id;
  });

  test('has its current description in the content of the site', async () => {
    expect(await imageTexts()).toEqual({ [logo._id]: 'The logo: a ladder' });
    await admin.put(`/images/${logo._id}`, { name: 'logo.png', alt: 'A ladder' });
    expect(await imageTexts()).toEqual({ [logo._id]: 'A ladder' });
    await eventually(async () =>
      expect(await imageTexts(site.gateways[1]!.url)).toEqual({ [logo._id]: 'A ladder' }),
    );
  });

  test('cannot be deleted while it is in use, and is gone everywhere once it is deleted', async () => {
    const refused = await admin.delete(`/images/${logo._id}`);
    const use = { section: 'banner', id: bannerId, field: 'bannerImage' };
    expect([refused.status, refused.json]).toMatchObject([
      409,
      { code: 'IMAGE_IN_USE', current: { _id: logo._id, uses: [use] } },
    ]);
    const path = banner.routes.update.replace(':id', bannerId);
    const { bannerImage } = sampleBody(banner);
    expect((await admin.put(path, { ...sampleBody(banner), bannerImage })).status).toBe(200);
    expect(await imageTexts()).toEqual({});
    expect((await admin.delete(`/images/${logo._id}`)).status).toBe(200);
    for (const { url } of site.gateways) {
      await eventually(async () => expect((await fetch(url + logo.address)).status).toBe(404));
    }
    expect((await admin.delete(`/images/${logo._id}`)).status).toBe(404);
  });

  test('is kept by the sweeper; files that the library does not have are deleted, also from the memory of the gateways', async () => {
    const leftoverId = '019a0000-0000-7000-8000-00000000dead';
    const [kept] = await library();
    await cp(join(site.filesDir, kept!._id), join(site.filesDir, leftoverId), { recursive: true });
    const leftover = kept!.address.replace(kept!._id, leftoverId);
    const statuses = () =>
      Promise.all(site.gateways.map(async ({ url }) => (await fetch(url + leftover)).status));
    expect(await statuses()).toEqual([200, 200]);
    const rpc = new RpcClient({ redisUrl: site.redis.url, caller: 'test' });
    const broadcaster = new Broadcaster({ redisUrl: site.redis.url, name: 'test' });
    await Promise.all([rpc.connect(), broadcaster.connect()]);
    const sweeper = new ImageSweeper(
      new FolderStorage(site.filesDir),
      createLogger('test', 'error'),
      broadcaster,
      rpc,
      new SystemClock(),
    );
    try {
      // By default, the sweeper keeps what is younger than a day.
      expect(await sweeper.sweep()).toEqual([]);
      expect(await sweeper.sweep(new Date(Date.now() + 1000))).toEqual([leftoverId]);
      expect((await readdir(site.filesDir)).sort()).toEqual((await library()).map(({ _id }) => _id).sort());
      await eventually(async () => expect(await statuses()).toEqual([404, 404]));
    } finally {
      await Promise.all([rpc.close(), broadcaster.close()]);
    }
  });

  test('is available while the content service is down', async () => {
    const [first] = await library();
    await site.content[0]!.kill();
    const fresh = await site.startGateway();
    expect((await fetch(fresh.url + first!.address)).status).toBe(200);
  });
});
