import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { validate as isUuid } from 'uuid';
import { type ByteRange, contentTypeOf, type FileStorage, type StoredFile } from './file-storage.js';
import { S3Bucket, type S3BucketOptions } from './s3-bucket.js';

export interface S3Options extends S3BucketOptions {
  /** The header `Cache-Control` of stored objects. The default is for pictures, which are public and never change. */
  cacheControl?: string;
}

/** Stores files as objects `<id>/<name>`. The first file of an entry is stored last, so once it can be read, all others exist. */
export class S3Storage implements FileStorage {
  readonly spoolFolder = tmpdir();
  private readonly bucket: S3Bucket;
  private readonly cacheControl: string;

  constructor({ cacheControl = 'public, max-age=31536000, immutable', ...options }: S3Options) {
    this.cacheControl = cacheControl;
    this.bucket = new S3Bucket(options);
  }

  async put(id: string, files: readonly StoredFile[]): Promise<void> {
    for (const { name, body } of [...files].reverse()) {
      const headers = { 'Content-Type': contentTypeOf(name), 'Cache-Control': this.cacheControl };
      await this.bucket.request('PUT', `/${id}/${name}`, {
        headers,
        body,
        timeoutMs: timeoutFor(body.length),
      });
    }
  }

  async findBytes(id: string, name: string): Promise<Buffer | undefined> {
    const answer = await this.bucket.request('GET', `/${id}/${name}`);
    return answer && Buffer.from(await answer.arrayBuffer());
  }

  async findStream(id: string, name: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range && { Range: `bytes=${range.start}-${range.end}` };
    const answer = await this.bucket.request('GET', `/${id}/${name}`, { headers, untilHeaders: true });
    if (!answer?.body) return undefined;
    if (range && answer.status !== 206) {
      await answer.body.cancel().catch(() => undefined);
      throw new Error('S3 has sent a whole file instead of a part of it');
    }
    return Readable.fromWeb(answer.body as ReadableStream);
  }

  async remove(id: string): Promise<void> {
    for await (const { key } of this.bucket.listObjects(`${id}/`))
      await this.bucket.request('DELETE', `/${key}`);
  }

  async *listEntries(): AsyncIterable<{ id: string; names: string[] }> {
    let entry: { id: string; names: string[] } | undefined;
    // Keys are listed in order, so those of one entry follow each other.
    for await (const { key } of this.bucket.listObjects('')) {
      const [id, name, ...rest] = key.split('/') as [string, ...string[]];
      if (!isUuid(id) || !name || rest.length > 0) continue;
      if (entry?.id !== id) {
        if (entry) yield entry;
        entry = { id, names: [] };
      }
      entry.names.push(name);
    }
    if (entry) yield entry;
  }

  async *idsStoredBefore(moment: Date): AsyncIterable<string> {
    let last = '';
    for await (const { key, modified } of this.bucket.listObjects('')) {
      const [id, ...rest] = key.split('/') as [string, ...string[]];
      if (!isUuid(id) || rest.length !== 1 || id === last || modified >= moment) continue;
      last = id;
      yield id;
    }
  }
}

/** In milliseconds; long enough at 4 MB a second. */
function timeoutFor(bytes: number): number {
  return 15_000 + bytes / 4_000;
}
