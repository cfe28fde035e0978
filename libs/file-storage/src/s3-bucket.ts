import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';

export interface S3BucketOptions {
  /** `https://bucket.s3.example` or `https://s3.example/bucket`. A path after `/bucket` is the prefix of every key. */
  url: string;
  /** A folder below `url`. It is not part of `url`, because the first folder in `url` is taken for the bucket's name. */
  area?: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const timeoutMs = 15_000;

interface RequestOptions {
  /** The address that the path is appended to. Default: the bucket's address with the prefix. */
  at?: string;
  headers?: Record<string, string> | undefined;
  body?: Buffer;
  timeoutMs?: number;
  /** Limits the time until the answer begins, not until it ends: the body takes as long as its reader needs. */
  untilHeaders?: boolean;
}

/** The objects of a bucket whose keys begin with a prefix. Makes signed calls. */
export class S3Bucket {
  private readonly client: AwsClient;
  private readonly url: string;
  /** The bucket's address without the prefix. */
  private readonly root: string;

  constructor({ url, area, ...credentials }: S3BucketOptions) {
    const given = url.replace(/(?<!\/)\/+$/, '');
    this.url = area ? `${given}/${area}` : given;
    const { origin, pathname } = new URL(given);
    const [, first] = pathname.split('/');
    this.root = first ? `${origin}/${first}` : origin;
    this.client = new AwsClient({ ...credentials, service: 's3', retries: 2 });
  }

  /** Empty, or with a slash at the end. */
  get prefix(): string {
    const path = this.url.slice(this.root.length + 1);
    return path === '' ? '' : `${path}/`;
  }

  /** The bucket's name, and the address of the service without it. */
  get bucketAddress(): { endpoint: string; bucket: string; isInPath: boolean } {
    const { protocol, host, origin } = new URL(this.url);
    const [, inPath] = new URL(this.root).pathname.split('/');
    if (inPath) return { endpoint: origin, bucket: inPath, isInPath: true };
    const [bucket = '', ...rest] = host.split('.');
    return { endpoint: `${protocol}//${rest.join('.')}`, bucket, isInPath: false };
  }

  /**
   * Undefined if there is no such object, except for a PUT. Throws for every other answer that is not a success. A HEAD also returns undefined if the
   * bucket is missing: the answer has no body that says which of the two is missing.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response | undefined> {
    const { at = this.url, headers, body, untilHeaders } = options;
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new Error('S3 has not answered in time')),
      options.timeoutMs ?? timeoutMs,
    );
    timer.unref();
    try {
      const answer = await this.client.fetch(at + path, {
        method,
        headers: { ...headers, 'X-Amz-Content-Sha256': digest },
        ...(body && { body: new Uint8Array(body) }),
        signal: deadline.signal,
      });
      if (answer.ok) return untilHeaders ? answer : await buffered(answer);
      const code = elementText('Code', await answer.text()) ?? '';
      // A listing has no path. If the answer to one is 404, the bucket is missing.
      const isOfObject = path.startsWith('/') && code !== 'NoSuchBucket';
      if (answer.status === 404 && method !== 'PUT' && isOfObject) return undefined;
      throw new Error(`S3 answered ${answer.status} to ${method} ${path.split('?')[0]}: ${code}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** All objects whose keys begin with `prefix`, followed by `beginning`. Yields the keys without `prefix`. */
  async *listObjects(beginning: string): AsyncGenerator<{ key: string; modified: Date }> {
    const { prefix } = this;
    let continuation: string | undefined;
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: prefix + beginning,
        ...(continuation && { 'continuation-token': continuation }),
      });
      const answer = await this.request('GET', `?${query}`, { at: this.root });
      const page = (await answer?.text()) ?? '';
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = elementText('Key', entry);
        const modified = elementText('LastModified', entry);
        if (key?.startsWith(prefix) && modified)
          yield { key: key.slice(prefix.length), modified: new Date(modified) };
      }
      continuation = elementText('NextContinuationToken', page);
    } while (continuation !== undefined);
  }

  /** Like `listObjects`, for multipart uploads that are neither complete nor aborted. */
  async *listPartialUploads(
    beginning: string,
  ): AsyncIterable<{ key: string; uploadId: string; begun: Date }> {
    const { prefix } = this;
    let after: Record<string, string> | undefined;
    do {
      const query = new URLSearchParams({ uploads: '', prefix: prefix + beginning, ...after });
      const answer = await this.request('GET', `?${query}`, { at: this.root });
      const page = (await answer?.text()) ?? '';
      for (const [, upload = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const [key, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((name) =>
          elementText(name, upload),
        );
        if (key?.startsWith(prefix) && uploadId && begun)
          yield { key: key.slice(prefix.length), uploadId, begun: new Date(begun) };
      }
      const [nextKey, nextId] = ['NextKeyMarker', 'NextUploadIdMarker'].map((name) =>
        elementText(name, page),
      );
      after = nextKey ? { 'key-marker': nextKey, 'upload-id-marker': nextId ?? '' } : undefined;
    } while (after);
  }
}

/** Reads the body into memory. */
async function buffered(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const body = status === 204 ? null : await answer.arrayBuffer();
  return new Response(body, { status, headers });
}

const namedCharacters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The text of the first element with this name. Our keys contain no characters that XML escapes, but continuation tokens and other programs' keys
 * may.
 */
export function elementText(element: string, xml: string): string | undefined {
  const [, value] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return value?.replace(/&(?:#(\d+)|(\w+));/g, (reference, code: string | undefined, name: string) =>
    code === undefined ? (namedCharacters[name] ?? reference) : String.fromCodePoint(Number(code)),
  );
}
