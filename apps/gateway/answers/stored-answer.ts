import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Compressing fewer bytes than this saves no packet. */
const minBytesToCompress = 1400;
/**
 * Up to this size, brotli and gzip use their highest quality, which makes a page a tenth smaller and takes about 60 ms of one thread. For megabytes
 * it would take seconds.
 */
const maxBestQualityBytes = 256 * 1024;

interface Variant {
  body: Buffer;
  etag: string;
  /** In Node's raw form: name, value, name, value. */
  headers: string[];
}

interface StoredAnswerOptions {
  status: number;
  /** A buffer is never compressed here. */
  body: string | Buffer;
  /** Creates the answer with absolute picture URLs, for pages on other origins. If it is left out, they get this answer. */
  forOtherOrigins?: () => StoredAnswer;
  /** The body, compressed in advance. If it is left out, a text of at least `minBytesToCompress` is compressed here. */
  encoded?: { br: Buffer; gzip: Buffer };
  /** Without `ETag`, `Content-Length` and `Content-Encoding`. */
  headers: Record<string, string>;
}

/**
 * An answer to GET and HEAD that many clients share, with a strong `ETag`. Texts of at least `minBytesToCompress` are compressed in the background,
 * and served uncompressed until that is done.
 */
export class StoredAnswer {
  readonly status: number;
  /** Resolves when the compressed variants exist; at once if this class has none to make. */
  readonly compressed: Promise<void>;
  private readonly makeForOtherOrigins?: () => StoredAnswer;
  private madeForOtherOrigins?: StoredAnswer;
  private readonly plain: Variant;
  private brotli?: Variant;
  private gzip?: Variant;

  constructor({ status, body, headers, encoded, forOtherOrigins }: StoredAnswerOptions) {
    this.makeForOtherOrigins = forOtherOrigins;
    this.status = status;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
    const compressible = typeof body === 'string' && bytes.length >= minBytesToCompress;
    const varies = compressible || encoded !== undefined;
    const sharedHeaders = varies ? { ...headers, Vary: joinVary(headers.Vary, 'Accept-Encoding') } : headers;
    this.plain = createVariant(bytes, `"${tag}"`, sharedHeaders);
    if (encoded) this.addVariants(encoded, tag, sharedHeaders);
    this.compressed = compressible && !encoded ? this.compress(bytes, tag, sharedHeaders) : Promise.resolve();
  }

  get forOtherOrigins(): StoredAnswer {
    return (this.madeForOtherOrigins ??= this.makeForOtherOrigins?.() ?? this);
  }

  get etag(): string {
    return this.plain.etag;
  }

  /** Writes no body for HEAD, and only a 304 if the client has the answer already. `extraHeaders` are in the form of `Variant.headers`. */
  write(request: IncomingMessage, response: ServerResponse, extraHeaders: readonly string[] = []): void {
    const { headers: requestHeaders } = request;
    const variant = this.variantFor(requestHeaders['accept-encoding']);
    const headers = extraHeaders.length === 0 ? variant.headers : [...variant.headers, ...extraHeaders];
    const ifNoneMatch = requestHeaders['if-none-match'];
    if (ifNoneMatch !== undefined && this.status === 200 && this.matches(ifNoneMatch)) {
      response.writeHead(304, withoutBodyHeaders(headers)).end();
      return;
    }
    response.writeHead(this.status, headers);
    if (request.method === 'HEAD') response.end();
    else response.end(variant.body);
  }

  private variantFor(acceptEncoding: string | string[] | undefined): Variant {
    if (acceptEncoding === undefined || this.gzip === undefined) return this.plain;
    const accepted = String(acceptEncoding).toLowerCase();
    if (this.brotli && accepts('br', accepted)) return this.brotli;
    return accepts('gzip', accepted) ? this.gzip : this.plain;
  }

  private matches(ifNoneMatch: string): boolean {
    if (ifNoneMatch.trim() === '*') return true;
    const tags = [this.plain.etag, this.brotli?.etag, this.gzip?.etag];
    return ifNoneMatch.split(',').some((tag) => tags.includes(tag.trim().replace(/^W\//, '')));
  }

  private async compress(bytes: Buffer, tag: string, headers: Record<string, string>): Promise<void> {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: bytes.length <= maxBestQualityBytes ? 11 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    const [asBrotli, asGzip] = await Promise.all([
      promisify(brotliCompress)(bytes, { params }),
      promisify(gzip)(bytes, { level: bytes.length <= maxBestQualityBytes ? 9 : 6 }),
    ]);
    this.addVariants({ br: asBrotli, gzip: asGzip }, tag, headers);
  }

  private addVariants(
    encoded: { br: Buffer; gzip: Buffer },
    tag: string,
    headers: Record<string, string>,
  ): void {
    this.brotli = createVariant(encoded.br, `"${tag}-br"`, { ...headers, 'Content-Encoding': 'br' });
    this.gzip = createVariant(encoded.gzip, `"${tag}-gz"`, { ...headers, 'Content-Encoding': 'gzip' });
  }
}

function createVariant(body: Buffer, etag: string, headers: Record<string, string>): Variant {
  const all = { ...headers, ETag: etag, 'Content-Length': String(body.length) };
  return { body, etag, headers: Object.entries(all).flat() };
}

const bodyHeaders = new Set(['content-length', 'content-type', 'content-encoding']);

function withoutBodyHeaders(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    if (!bodyHeaders.has(name.toLowerCase())) kept.push(name, headers[i + 1]!);
  }
  return kept;
}

/** A weight of zero refuses the coding (RFC 9110, section 12.5.3). The package `negotiator` would take twice as long. */
function accepts(coding: string, acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((entry) => {
    const [name, weight] = entry.split(';');
    return name!.trim() === coding && !/^\s*q=0(\.0*)?\s*$/.test(weight ?? '');
  });
}

export function joinVary(...names: (string | undefined)[]): string {
  return names.filter(Boolean).join(', ');
}
