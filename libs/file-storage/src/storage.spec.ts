import dns from 'node:dns';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Upload } from '@tus/server';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import { FolderStorage, FolderUploads } from './folder-storage.js';
import { createImageStorage, createInvoiceStorage, createProjectFileStorage } from './configured-storage.js';
import { type FileStorage, invoiceFileName, projectFileName } from './file-storage.js';
import { S3Storage } from './s3-storage.js';

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret/with+signs' };
const [firstId, secondId, unknownId] = ['1', '2', '3'].map(
  (last) => `019a0000-0000-7000-8000-00000000000${last}`,
) as [string, string, string];
const files = [
  { name: '40x20.jpg', body: Buffer.from('the full size') },
  { name: '40.webp', body: Buffer.from([0, 255, 10, 13]) },
];

let folder: string;
let s3: S3StandIn;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-storage-'));
  s3 = await S3StandIn.start('pictures', credentials, { pageSize: 2 });
  // The host of `hostUrl` does not exist, so its address must come from here.
  const { lookup } = dns;
  jest
    .spyOn(dns, 'lookup')
    .mockImplementation(((host: string, ...given: [dns.LookupOptions, never]) =>
      lookup(host === 'pictures.s3.test' ? '127.0.0.1' : host, ...given)) as typeof lookup);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await s3.stop();
  await rm(folder, { recursive: true });
});

const s3At = (url: string, more: Partial<typeof credentials> = {}) =>
  new S3Storage({ url, ...credentials, ...more });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const storages: [string, () => FileStorage][] = [
  ['a folder', () => new FolderStorage(join(folder, 'not', 'there', 'yet'))],
  ['a bucket', () => s3At(s3.url)],
  ['a part of a bucket', () => s3At(`${s3.url}/site/images/`)],
  ['a bucket with a virtual-hosted-style URL', () => s3At(s3.hostUrl)],
];

describe.each(storages)('%s', (_name, createStorage) => {
  test('returns what was stored, and undefined for anything else', async () => {
    const storage = createStorage();
    expect(await all(storage.idsStoredBefore(new Date(Date.now() + 1000)))).toEqual([]);
    await storage.put(firstId, files);
    for (const { name, body } of files) expect(await storage.findBytes(firstId, name)).toEqual(body);
    expect(await storage.findBytes(firstId, '80.webp')).toBeUndefined();
    expect(await storage.findBytes(unknownId, '40.webp')).toBeUndefined();
  });

  test('lists every entry with its files, in order, for backups', async () => {
    const storage = createStorage();
    for (const id of [secondId, firstId]) await storage.put(id, files);
    const names = ['40.webp', '40x20.jpg'];
    expect(await all(storage.listEntries())).toEqual([
      { id: firstId, names },
      { id: secondId, names },
    ]);
  });

  test('lists the entries that were stored before a given time, and removes entries, even one that is already removed', async () => {
    const storage = createStorage();
    await storage.put(firstId, files);
    await storage.put(secondId, files);
    const later = new Date(Date.now() + 1000);
    expect((await all(storage.idsStoredBefore(later))).sort()).toEqual([firstId, secondId]);
    expect(await all(storage.idsStoredBefore(new Date(0)))).toEqual([]);
    await storage.remove(firstId);
    await storage.remove(firstId);
    expect(await storage.findBytes(firstId, '40.webp')).toBeUndefined();
    expect(await all(storage.idsStoredBefore(later))).toEqual([secondId]);
  });
});

const configOf = (more: object) => ({ IMAGES_DIR: folder, IMAGES_S3_REGION: credentials.region, ...more });
const inBucket = (url = s3.url) =>
  configOf({
    IMAGES_S3_URL: url,
    IMAGES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    IMAGES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });

describe.each([
  ['a folder', () => configOf({})],
  ['a bucket', () => inBucket()],
  ['a bucket with a virtual-hosted-style URL', () => inBucket(s3.hostUrl)],
])('invoices in %s', (_name, config) => {
  test('are stored apart from pictures: neither storage finds the files of the other', async () => {
    const [images, invoices] = [createImageStorage(config()), createInvoiceStorage(config())];
    await images.put(firstId, files);
    await invoices.put(secondId, [{ name: invoiceFileName, body: Buffer.from('%PDF') }]);
    expect(await invoices.findBytes(secondId, invoiceFileName)).toEqual(Buffer.from('%PDF'));
    expect(await images.findBytes(secondId, invoiceFileName)).toBeUndefined();
    expect(await invoices.findBytes(firstId, '40.webp')).toBeUndefined();
    expect((await all(images.listEntries())).map(({ id }) => id)).toEqual([firstId]);
    expect((await all(invoices.listEntries())).map(({ id }) => id)).toEqual([secondId]);
    const later = new Date(Date.now() + 1000);
    expect(await all(images.idsStoredBefore(later))).toEqual([firstId]);
    expect(await all(invoices.idsStoredBefore(later))).toEqual([secondId]);
    await images.remove(secondId);
    expect(await invoices.findBytes(secondId, invoiceFileName)).toEqual(Buffer.from('%PDF'));
  });
});

test('invoices in a bucket must not be cached', async () => {
  await createInvoiceStorage(inBucket()).put(firstId, [{ name: invoiceFileName, body: Buffer.from('%PDF') }]);
  expect([...s3.objects].map(([key, { type, cacheControl }]) => [key, type, cacheControl])).toEqual([
    [`private/invoices/${firstId}/invoice.pdf`, 'application/pdf', 'private, no-store'],
  ]);
});

test.each([
  ['a path-style URL', '', () => s3.url],
  ['a path-style URL and a folder', 'site/', () => `${s3.url}/site`],
  ['a virtual-hosted-style URL', '', () => s3.hostUrl],
])(
  'an upload in parts becomes a file in a bucket with %s, and only the file is left when all uploads are removed',
  async (_name, prefix, url) => {
    const { files: complete, uploads } = createProjectFileStorage(inBucket(url()));
    const store = await uploads.tusStore();
    const body = Buffer.alloc(6_000_000, 'part');
    for (const id of [firstId, secondId])
      await store.create(new Upload({ id: uploads.keyOf(id), size: body.length, offset: 0 }));
    await store.write(Readable.from([body]), uploads.keyOf(firstId), 0);
    await uploads.finish(firstId, projectFileName);
    expect((await complete.findBytes(firstId, projectFileName))!.equals(body)).toBe(true);
    const later = new Date(Date.now() + 1000);
    expect([...new Set(await all(uploads.idsStoredBefore(later)))].sort()).toEqual([firstId, secondId]);
    for (const id of [firstId, secondId]) await uploads.removeOrphan(id);
    expect([...s3.objects.keys()]).toEqual([`${prefix}private/project-files/${firstId}/file`]);
    expect(s3.uploads.size).toBe(0);
  },
);

describe('a folder', () => {
  test('does not list an entry that a killed process stored incompletely, and deletes its files later', async () => {
    const storage = new FolderStorage(folder);
    const unfinished = join(folder, '.unfinished-1');
    await mkdir(unfinished);
    await writeFile(join(unfinished, '40.webp'), 'half');
    expect(await all(storage.listEntries())).toEqual([]);
    expect(await all(storage.idsStoredBefore(new Date(Date.now() - 1000)))).toEqual([]);
    expect(await readdir(folder)).toEqual(['.unfinished-1']);
    await utimes(unfinished, 1, 1);
    // `idsStoredBefore` also deletes old folders of incomplete entries.
    expect(await all(storage.idsStoredBefore(new Date(Date.now() - 1000)))).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('refuses ids that are not UUIDs, because some would lead out of it', async () => {
    const storage = new FolderStorage(folder);
    for (const id of ['..', '../..', '', '.', 'a/b'])
      await expect(storage.findBytes(id, 'x')).rejects.toThrow('UUID');
  });
});

describe('a bucket', () => {
  test('lists only entries, not the other objects in it', async () => {
    const storage = s3At(s3.url);
    await storage.put(firstId, files);
    const [object] = s3.objects.values();
    for (const key of ['other/file', `${secondId}`, `private/${secondId}/file`]) s3.objects.set(key, object!);
    expect(await all(storage.idsStoredBefore(new Date(Date.now() + 1000)))).toEqual([firstId]);
    expect((await all(storage.listEntries())).map(({ id }) => id)).toEqual([firstId]);
  });

  test('stores files with their content type', async () => {
    await s3At(s3.url).put(firstId, files);
    expect([...s3.objects].map(([key, { type }]) => [key, type])).toEqual([
      [`${firstId}/40.webp`, 'image/webp'],
      [`${firstId}/40x20.jpg`, 'image/jpeg'],
    ]);
  });

  test.each([
    ['a wrong secret', { secretAccessKey: 'guessed' }],
    ['a wrong key', { accessKeyId: 'OTHER' }],
    ['a wrong region', { region: 'us-test-1' }],
  ])('refuses %s, and the refusal is not mistaken for a missing file', async (_what, wrong) => {
    const storage = s3At(s3.url, wrong);
    await expect(storage.put(firstId, files)).rejects.toThrow('S3 answered 403');
    await expect(storage.findBytes(firstId, '40.webp')).rejects.toThrow('SignatureDoesNotMatch');
    expect(s3.objects.size).toBe(0);
  });

  test('that answers with an error is not mistaken for one without the file', async () => {
    s3.failureStatus = 400;
    await expect(s3At(s3.url).findBytes(firstId, '40.webp')).rejects.toThrow('S3 answered 400');
  });

  test('that does not exist cannot store anything, and is not mistaken for an empty one', async () => {
    const missingBucketUrl = `${s3.url}s`;
    const storage = s3At(missingBucketUrl);
    const { uploads } = createProjectFileStorage(inBucket(missingBucketUrl));
    const anyTime = new Date();
    const calls = [
      storage.put(firstId, files),
      storage.findBytes(firstId, '40.webp'),
      storage.findStream(firstId, '40.webp'),
      storage.remove(firstId),
      all(storage.listEntries()),
      all(storage.idsStoredBefore(anyTime)),
      all(uploads.idsStoredBefore(anyTime)),
      uploads.findSize(firstId),
      uploads.finish(firstId, projectFileName),
      uploads.remove(firstId),
    ];
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow('NoSuchBucket')));
  });
});

test('after a failure to create the folder of uploads, the next upload tries again', async () => {
  const notMounted = join(folder, 'volume');
  await writeFile(notMounted, '');
  const uploads = new FolderUploads(join(notMounted, 'uploads'), new FolderStorage(folder));
  await expect(uploads.tusStore()).rejects.toThrow('ENOTDIR');
  await rm(notMounted);
  await uploads.tusStore();
});
