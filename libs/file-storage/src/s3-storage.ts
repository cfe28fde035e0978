import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { AwsClient } from 'aws4fetch';
import { validate as isUuid } from 'uuid';
import { contentTypeOf, type FileStorage, type StoredFile } from './file-storage.js';

export interface S3Options {
  /** The bucket's address in either style, `https://s3.example/bucket` or `https://bucket.s3.example`. A further path is the prefix of every key. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The header `Cache-Control` of what is stored. Default: as for pictures, which anybody may see and which never change. */
  cacheControl?: string;
}

/** Timeout of one call, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Stores files in an S3-compatible bucket as objects `<id>/<name>`. The first file of an entry is stored last. Of a picture it is the full size, and
 * only then is the picture's address, which contains that size, given out.
 */
export class S3Storage implements FileStorage {
  readonly spoolFolder = tmpdir();
  private readonly client: AwsClient;
  private readonly bucket: string;
  private readonly cacheControl: string;

  constructor({ url, cacheControl = 'public, max-age=31536000, immutable', ...credentials }: S3Options) {
    this.cacheControl = cacheControl;
    this.bucket = url.replace(/(?<!\/)\/+$/, '');
    this.client = new AwsClient({ ...credentials, service: 's3', retries: 2 });
  }

  async put(id: string, files: readonly StoredFile[]): Promise<void> {
    for (const { name, body } of [...files].reverse()) {
      const headers = { 'Content-Type': contentTypeOf(name), 'Cache-Control': this.cacheControl };
      await this.ask('PUT', `/${id}/${name}`, { headers, body });
    }
  }

  async get(id: string, name: string): Promise<Buffer | undefined> {
    const answer = await this.ask('GET', `/${id}/${name}`);
    return answer && Buffer.from(await answer.arrayBuffer());
  }

  async remove(id: string): Promise<void> {
    for await (const { key } of this.objects(`${id}/`)) await this.ask('DELETE', `/${key}`);
  }

  async *entries(): AsyncIterable<{ id: string; names: string[] }> {
    let entry: { id: string; names: string[] } | undefined;
    // Keys are listed in order, so those of one entry follow each other.
    for await (const { key } of this.objects('')) {
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

  async *storedBefore(moment: Date): AsyncIterable<string> {
    let last = '';
    for await (const { key, modified } of this.objects('')) {
      const [id, ...rest] = key.split('/') as [string, ...string[]];
      if (rest.length !== 1 || id === last || modified >= moment) continue;
      last = id;
      yield id;
    }
  }

  /** All objects whose keys begin with the prefix of this storage and this prefix. */
  private async *objects(beginning: string): AsyncIterable<{ key: string; modified: Date }> {
    const within = this.keysWithin();
    let continuation: string | undefined;
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: within + beginning,
        ...(continuation && { 'continuation-token': continuation }),
      });
      const answer = await this.ask('GET', `?${query}`, { at: this.bucketRoot() });
      const page = (await answer?.text()) ?? '';
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = valueOf('Key', entry);
        const modified = valueOf('LastModified', entry);
        if (key?.startsWith(within) && modified)
          yield { key: key.slice(within.length), modified: new Date(modified) };
      }
      continuation = valueOf('NextContinuationToken', page);
    } while (continuation !== undefined);
  }

  /** The address for listing objects: the first part of the path is the bucket, unless the host names it. */
  private bucketRoot(): string {
    const { origin, pathname } = new URL(this.bucket);
    const [, first] = pathname.split('/');
    return first ? `${origin}/${first}` : origin;
  }

  /** The prefix of all keys of this storage. */
  private keysWithin(): string {
    const path = this.bucket.slice(this.bucketRoot().length + 1);
    return path === '' ? '' : `${path}/`;
  }

  /** The answer; undefined for 404. Throws for every other answer that is not a success. */
  private async ask(
    method: string,
    path: string,
    {
      at = this.bucket,
      headers,
      body,
    }: { at?: string; headers?: Record<string, string>; body?: Buffer } = {},
  ): Promise<Response | undefined> {
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const answer = await this.client.fetch(at + path, {
      method,
      headers: { ...headers, 'X-Amz-Content-Sha256': digest },
      ...(body && { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.ok) return answer;
    const said = await answer.text();
    if (answer.status === 404 && method !== 'PUT') return undefined;
    throw new Error(
      `S3 answered ${answer.status} to ${method} ${path.split('?')[0]}: ${valueOf('Code', said) ?? ''}`,
    );
  }
}

/** The text of an element of S3's flat XML. Our keys contain no characters that XML escapes, but tokens may. */
function valueOf(element: string, xml: string): string | undefined {
  const [, value] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return value?.replaceAll('&quot;', '"').replaceAll('&#43;', '+').replaceAll('&amp;', '&');
}
