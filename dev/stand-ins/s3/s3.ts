import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escapeMarkup } from '#libs/contracts';

export interface S3Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface StoredObject {
  body: Buffer;
  type: string;
  /** For tests, which read it in `objects`; answers do not contain it. */
  cacheControl: string;
  modified: Date;
  /** Headers `x-amz-meta-…`. */
  metadata: Record<string, string>;
}

interface MultipartUpload {
  key: string;
  properties: Omit<StoredObject, 'body' | 'modified'>;
  /** The keys are the parts' numbers. */
  parts: Map<number, Buffer>;
  begun: Date;
}

interface Answer {
  status: number;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** Every part but the last must have at least this size. */
const minPartBytes = 5 * 1024 * 1024;

/**
 * S3-compatible storage with one bucket in memory. Every request must be signed as AWS documents it
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export class S3StandIn {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, MultipartUpload>();
  /** Answers every request with this status, to simulate an outage. */
  failureStatus: number | undefined;

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
        // The client may have been killed before it had sent the whole request.
        .catch(() => failure(400, 'RequestTimeout'))
        .then(({ status, body, headers }) => response.writeHead(status, headers).end(body));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/${this.bucket}`;
  }

  /** The bucket's name is in the host. The caller has to make the host resolve to 127.0.0.1. */
  get hostUrl(): string {
    return `http://${this.bucket}.s3.test:${this.port}`;
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (this.failureStatus !== undefined) return failure(this.failureStatus, 'SlowDown');
    if (!this.isSigned(request, body)) return failure(403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const [, inHost] = /^(.+)\.s3\.test:/.exec(request.headers.host ?? '') ?? [];
    const inPath = decodeURIComponent(pathname).slice(1).split('/');
    const [bucket, ...rest] = inHost === undefined ? inPath : [inHost, ...inPath];
    if (bucket !== this.bucket) return failure(404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '' && searchParams.has('uploads')) return this.listUploads(searchParams);
    if (key === '') return this.listObjects(searchParams);
    const uploadId = searchParams.get('uploadId');
    if (request.method === 'POST' && searchParams.has('uploads')) return this.beginUpload(request, key);
    if (uploadId !== null) return this.answerUpload(request, { key, uploadId, searchParams, body });
    return this.answerObject(request, key, body);
  }

  private answerObject({ method, headers }: IncomingMessage, key: string, body: Buffer): Answer {
    if (method === 'PUT') {
      const source = headers['x-amz-copy-source'];
      if (source !== undefined) return this.copyObject(String(source), headers, key);
      this.objects.set(key, { body, ...propertiesIn(headers), modified: new Date() });
      return { status: 200, headers: { etag: etagOf(body) } };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    const found = this.objects.get(key);
    if (!found) return failure(404, 'NoSuchKey');
    const objectHeaders = { 'content-type': found.type, etag: etagOf(found.body), ...found.metadata };
    if (method === 'HEAD')
      return { status: 200, headers: { ...objectHeaders, 'content-length': `${found.body.length}` } };
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (start === undefined) return { status: 200, body: found.body, headers: objectHeaders };
    if (Number(start) >= found.body.length) return failure(416, 'InvalidRange');
    const part = found.body.subarray(Number(start), Number(end) + 1);
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${found.body.length}`;
    return { status: 206, body: part, headers: { ...objectHeaders, 'content-range': range } };
  }

  private copyObject(source: string, headers: IncomingHttpHeaders, key: string): Answer {
    const [bucket, ...from] = decodeURIComponent(source).replace(/^\//, '').split('/');
    const found = bucket === this.bucket ? this.objects.get(from.join('/')) : undefined;
    if (!found) return failure(404, 'NoSuchKey');
    const properties = headers['x-amz-metadata-directive'] === 'REPLACE' ? propertiesIn(headers) : found;
    this.objects.set(key, { ...properties, body: found.body, modified: new Date() });
    return xml(200, `<CopyObjectResult><ETag>${etagOf(found.body)}</ETag></CopyObjectResult>`);
  }

  private beginUpload({ headers }: IncomingMessage, key: string): Answer {
    const id = randomUUID();
    this.uploads.set(id, { key, properties: propertiesIn(headers), parts: new Map(), begun: new Date() });
    return xml(
      200,
      `<InitiateMultipartUploadResult><Bucket>${this.bucket}</Bucket><Key>${escapeMarkup(key)}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  private answerUpload(
    { method }: IncomingMessage,
    {
      key,
      uploadId,
      searchParams,
      body,
    }: { key: string; uploadId: string; searchParams: URLSearchParams; body: Buffer },
  ): Answer {
    const upload = this.uploads.get(uploadId);
    if (upload?.key !== key) return failure(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(searchParams.get('partNumber')), body);
      return { status: 200, headers: { etag: etagOf(body) } };
    }
    if (method === 'DELETE') {
      this.uploads.delete(uploadId);
      return { status: 204 };
    }
    return method === 'POST'
      ? this.completeUpload(upload, uploadId, body.toString())
      : this.listParts(upload, searchParams);
  }

  private listParts({ parts }: MultipartUpload, query: URLSearchParams): Answer {
    const after = Number(query.get('part-number-marker') ?? 0);
    const numbers = [...parts.keys()].filter((number) => number > after).sort((a, b) => a - b);
    const page = numbers.slice(0, this.pageSize);
    const listed = page.map((number) => {
      const part = parts.get(number)!;
      return `<Part><PartNumber>${number}</PartNumber><ETag>${etagOf(part)}</ETag><Size>${part.length}</Size></Part>`;
    });
    const isTruncated = numbers.length > page.length;
    const next = isTruncated ? `<NextPartNumberMarker>${page.at(-1)}</NextPartNumberMarker>` : '';
    return xml(
      200,
      `<ListPartsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${listed.join('')}</ListPartsResult>`,
    );
  }

  private completeUpload(
    { key, properties, parts }: MultipartUpload,
    uploadId: string,
    partList: string,
  ): Answer {
    const listedParts = [...partList.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>([^<]*)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const bodies = listedParts.map(({ number }) => parts.get(number));
    if (listedParts.length === 0) return failure(400, 'MalformedXML');
    for (const [index, part] of bodies.entries()) {
      if (!part || listedParts[index]!.etag !== etagOf(part)) return failure(400, 'InvalidPart');
      if (index > 0 && listedParts[index]!.number <= listedParts[index - 1]!.number)
        return failure(400, 'InvalidPartOrder');
      if (index < bodies.length - 1 && part.length < minPartBytes) return failure(400, 'EntityTooSmall');
    }
    const body = Buffer.concat(bodies as Buffer[]);
    this.objects.set(key, { ...properties, body, modified: new Date() });
    this.uploads.delete(uploadId);
    return xml(
      200,
      `<CompleteMultipartUploadResult><Key>${escapeMarkup(key)}</Key><ETag>${etagOf(body)}</ETag></CompleteMultipartUploadResult>`,
    );
  }

  private listUploads(query: URLSearchParams): Answer {
    const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join('\0');
    const listed = [...this.uploads]
      .map(([id, { key, begun }]) => ({ id, key, begun, place: [key, id].join('\0') }))
      .filter(({ key, place }) => key.startsWith(query.get('prefix') ?? '') && place > after)
      .sort((one, other) => (one.place < other.place ? -1 : 1));
    const page = listed.slice(0, this.pageSize);
    const entries = page.map(
      ({ id, key, begun }) =>
        `<Upload><Key>${escapeMarkup(key)}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
    );
    const isTruncated = listed.length > page.length;
    const last = page.at(-1);
    const next = isTruncated
      ? `<NextKeyMarker>${escapeMarkup(last!.key)}</NextKeyMarker><NextUploadIdMarker>${last!.id}</NextUploadIdMarker>`
      : '';
    return xml(
      200,
      `<ListMultipartUploadsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListMultipartUploadsResult>`,
    );
  }

  private listObjects(query: URLSearchParams): Answer {
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, this.pageSize);
    const entries = page.map((key) => {
      const modified = this.objects.get(key)!.modified.toISOString();
      return `<Contents><Key>${escapeMarkup(key)}</Key><LastModified>${modified}</LastModified></Contents>`;
    });
    const isTruncated = keys.length > page.length;
    const next = isTruncated
      ? `<NextContinuationToken>${escapeMarkup(page.at(-1)!)}</NextContinuationToken>`
      : '';
    return xml(
      200,
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
    );
  }

  private isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
    const authorization =
      /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
        headers.authorization ?? '',
      );
    if (!authorization) return false;
    const [, credential = '', headerNames = '', signature] = authorization;
    const [accessKeyId, day = '', ...scope] = credential.split('/');
    const { region, secretAccessKey } = this.credentials;
    const bodyDigest = String(headers['x-amz-content-sha256']);
    if (accessKeyId !== this.credentials.accessKeyId || scope.join('/') !== `${region}/s3/aws4_request`)
      return false;
    // Clients that stream a body do not know its digest before they have sent it.
    if (bodyDigest !== 'UNSIGNED-PAYLOAD' && bodyDigest !== sha256(body)) return false;
    if (!headerNames.split(';').includes('host')) return false;
    const { pathname, searchParams } = new URL(url!, this.url);
    const query = [...searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort();
    const signedHeaders = headerNames.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const canonicalRequest = [
      method,
      pathname,
      query.join('&'),
      signedHeaders.join(''),
      headerNames,
      bodyDigest,
    ].join('\n');
    const date = String(headers['x-amz-date']);
    const stringToSign = ['AWS4-HMAC-SHA256', date, [day, ...scope].join('/'), sha256(canonicalRequest)].join(
      '\n',
    );
    const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
    return date.startsWith(day) && hmac(key, stringToSign).toString('hex') === signature;
  }
}

function propertiesIn(headers: IncomingHttpHeaders): Omit<StoredObject, 'body' | 'modified'> {
  const { 'content-type': type = '', 'cache-control': cacheControl = '' } = headers;
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return { type, cacheControl, metadata: Object.fromEntries(metadata) as Record<string, string> };
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function failure(status: number, code: string): Answer {
  return xml(status, `<Error><Code>${code}</Code></Error>`);
}

function xml(status: number, body: string): Answer {
  return { status, body, headers: { 'content-type': 'application/xml' } };
}
