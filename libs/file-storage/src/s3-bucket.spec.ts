import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import { S3Bucket } from './s3-bucket.js';

const credentials = { region: 'eu-test-1', accessKeyId: 'KEY', secretAccessKey: 'a secret' };
/** In the order in which S3 lists them. */
const keys = ['a&amp;b', 'a&b', 'a<b>', `a"b'`].sort();

let s3: S3StandIn;
let bucket: S3Bucket;
beforeEach(async () => {
  // One key on each page, so that the next page is requested after every key.
  s3 = await S3StandIn.start('files', credentials, { pageSize: 1 });
  bucket = new S3Bucket({ url: s3.url, ...credentials });
});
afterEach(() => s3.stop());

async function keysIn(listing: AsyncIterable<{ key: string }>): Promise<string[]> {
  const listed: string[] = [];
  for await (const { key } of listing) listed.push(key);
  return listed;
}

test('each object is listed once, even if another program’s key contains characters that XML escapes', async () => {
  const properties = { type: 'text/plain', cacheControl: '', metadata: {} };
  for (const key of keys)
    s3.objects.set(key, { ...properties, body: Buffer.from('x'), modified: new Date() });
  expect(await keysIn(bucket.listObjects(''))).toEqual(keys);
});

test('each multipart upload is listed once, even if another program’s key contains characters that XML escapes', async () => {
  const properties = { type: 'text/plain', cacheControl: '', metadata: {} };
  for (const key of keys)
    s3.uploads.set(randomUUID(), { key, properties, parts: new Map(), begun: new Date() });
  expect(await keysIn(bucket.listPartialUploads(''))).toEqual(keys);
});
