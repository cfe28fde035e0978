import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface StoredObject {
  body: Buffer;
  type: string;
  cacheControl: string;
  modified: Date;
}

interface Answer {
  status: number;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/**
 * A stand-in for S3-compatible storage with one bucket in memory. Objects can be put, read, deleted and listed in pages, and every request must be
 * signed as AWS documents it (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export class S3StandIn {
  readonly objects = new Map<string, StoredObject>();
  /** If set, answers every request with this status, to simulate an outage. */
  failing: number | undefined;

  private constructor(
    private readonly server: Server,
    private readonly bucket: string,
    private readonly credentials: S3Credentials,
    private readonly pageSize: number,
  ) {}

  static async start(
    bucket: string,
    credentials: S3Credentials,
    { pageSize = 1000 } = {},
  ): Promise<S3StandIn> {
    const server = createServer();
    const standIn = new S3StandIn(server, bucket, credentials, pageSize);
    server.on('request', (request: IncomingMessage, response) => {
      void standIn
        .answer(request)
        .then(({ status, body, headers }) => response.writeHead(status, headers).end(body));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return standIn;
  }

  /** The bucket's address. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${this.bucket}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (this.failing !== undefined) return failure(this.failing, 'SlowDown');
    if (!this.isSigned(request, body)) return failure(403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
    if (bucket !== this.bucket) return failure(404, 'NoSuchBucket');
    const key = rest.join('/');
    return key === '' ? this.list(searchParams) : this.object(request, key, body);
  }

  private object({ method, headers }: IncomingMessage, key: string, body: Buffer): Answer {
    if (method === 'PUT') {
      const { 'content-type': type = '', 'cache-control': cacheControl = '' } = headers;
      this.objects.set(key, { body, type, cacheControl, modified: new Date() });
      return { status: 200 };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    const found = this.objects.get(key);
    if (!found) return failure(404, 'NoSuchKey');
    return { status: 200, body: found.body, headers: { 'content-type': found.type } };
  }

  private list(query: URLSearchParams): Answer {
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, this.pageSize);
    const entries = page.map((key) => {
      const modified = this.objects.get(key)!.modified.toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const body = `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
    return { status: 200, body, headers: { 'content-type': 'application/xml' } };
  }

  private isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
        headers.authorization ?? '',
      );
    if (!given) return false;
    const [, credential = '', names = '', signature] = given;
    const [accessKeyId, day = '', ...scope] = credential.split('/');
    const { region, secretAccessKey } = this.credentials;
    const payload = String(headers['x-amz-content-sha256']);
    if (accessKeyId !== this.credentials.accessKeyId || scope.join('/') !== `${region}/s3/aws4_request`)
      return false;
    if (!names.split(';').includes('host') || payload !== sha256(body)) return false;
    const { pathname, searchParams } = new URL(url!, this.url);
    const query = [...searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort();
    const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const request = [method, pathname, query.join('&'), signed.join(''), names, payload].join('\n');
    const date = String(headers['x-amz-date']);
    const text = ['AWS4-HMAC-SHA256', date, [day, ...scope].join('/'), sha256(request)].join('\n');
    const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
    return date.startsWith(day) && hmac(key, text).toString('hex') === signature;
  }
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function failure(status: number, code: string): Answer {
  return {
    status,
    body: `<Error><Code>${code}</Code></Error>`,
    headers: { 'content-type': 'application/xml' },
  };
}
