import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FolderStorage, type FileStorage, S3Storage } from '#libs/file-storage';
import { S3StandIn } from '../../stand-ins/s3/s3.js';
import { copyFiles, summaryOfFiles } from './files.js';

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'secret' };
const ids = Array.from({ length: 7 }, (_, index) => `019a0000-0000-7000-8000-00000000000${index}`);
const filesOf = (id: string) => [
  { name: '40x20.jpg', body: Buffer.from(`the full size of ${id}`) },
  { name: '40.webp', body: Buffer.from(`small ${id}`) },
];

let folder: string;
let buckets: S3StandIn[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  const options = { pageSize: 3 };
  buckets = await Promise.all(['one', 'two'].map((name) => S3StandIn.start(name, credentials, options)));
});
afterEach(async () => {
  for (const standIn of buckets) await standIn.stop();
  await rm(folder, { recursive: true });
});

const bucketStorage = (index: number) => new S3Storage({ url: buckets[index]!.url, ...credentials });
const folderStorage = (name: string) => new FolderStorage(join(folder, name));

test.each<[string, () => FileStorage, () => FileStorage]>([
  ['a folder to a folder', () => folderStorage('from'), () => folderStorage('to')],
  ['a folder to a bucket', () => folderStorage('from'), () => bucketStorage(0)],
  ['a bucket to a folder', () => bucketStorage(0), () => folderStorage('to')],
  ['a bucket to another bucket', () => bucketStorage(0), () => bucketStorage(1)],
])(
  'the files of every id are copied from %s, and replace the files of the target with the same id',
  async (_way, source, target) => {
    const [from, to] = [source(), target()];
    for (const id of ids) await from.put(id, filesOf(id));
    await to.put(ids[3]!, [{ name: '1x1.png', body: Buffer.from('an older file') }]);
    const copied = await copyFiles(from, to);
    expect(copied.files).toBe(2 * ids.length);
    expect(await summaryOfFiles(to)).toEqual(copied);
    for (const id of ids)
      for (const { name, body } of filesOf(id)) expect(await to.findBytes(id, name)).toEqual(body);
    expect(await to.findBytes(ids[3]!, '1x1.png')).toBeUndefined();
  },
);

test('the summary reveals a changed byte, a missing file and a missing id', async () => {
  const storage = folderStorage('from');
  for (const id of ids) await storage.put(id, filesOf(id));
  const hashes = new Set([(await summaryOfFiles(storage)).sha256]);
  const [full, small] = filesOf(ids[0]!) as [{ name: string; body: Buffer }, { name: string; body: Buffer }];
  for (const files of [[full, { ...small, body: Buffer.from(`smalL ${ids[0]}`) }], [full], []]) {
    await storage.remove(ids[0]!);
    if (files.length > 0) await storage.put(ids[0]!, files);
    hashes.add((await summaryOfFiles(storage)).sha256);
  }
  expect(hashes.size).toBe(4);
});

test('an id whose files are deleted while they are being read is skipped, and counted as skipped', async () => {
  const [from, to] = [folderStorage('from'), folderStorage('to')];
  for (const id of ids) await from.put(id, filesOf(id));
  const [, second] = ids;
  from.findStream = async (id, name) => {
    if (id === second) await from.remove(id);
    return FolderStorage.prototype.findStream.call(from, id, name);
  };
  expect(await copyFiles(from, to)).toMatchObject({ files: 2 * (ids.length - 1), skipped: 1 });
  expect(await to.findBytes(second!, filesOf(second!)[0]!.name)).toBeUndefined();
});

test('the copy fails if a bucket answers with an error', async () => {
  await bucketStorage(0).put(ids[0]!, filesOf(ids[0]!));
  buckets[0]!.failureStatus = 403;
  await expect(copyFiles(bucketStorage(0), folderStorage('to'))).rejects.toThrow('S3 answered 403');
});
