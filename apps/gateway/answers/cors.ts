import type { IncomingMessage } from 'node:http';

const exposedHeaders = 'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count';
const allowedHeaders = 'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match';
const preflightSeconds = 600;

/**
 * Which other sites may read the API's answers (https://fetch.spec.whatwg.org/#http-cors-protocol). Never allows credentials, so other sites cannot
 * use the cookies of a signed-in person.
 */
export class Cors {
  constructor(private readonly origins: readonly string[]) {}

  allows(origin: string): boolean {
    return this.origins.includes('*') || this.origins.includes(origin);
  }

  /** The value of the `Vary` header. Undefined if no other site is allowed: answers then do not depend on the origin. */
  get vary(): 'Origin' | undefined {
    return this.origins.length > 0 ? 'Origin' : undefined;
  }

  /** Header names, each followed by its value. Empty if the request's origin may not read the answer. */
  headersFor({ headers: { origin } }: IncomingMessage): readonly string[] {
    if (origin === undefined || !this.allows(origin)) return none;
    return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders];
  }

  /** Empty if the request's origin may not call the API. */
  preflightHeaders({ headers: { origin } }: IncomingMessage, methods: string): readonly string[] {
    if (origin === undefined || !this.allows(origin)) return none;
    return [
      ...['Access-Control-Allow-Origin', origin],
      ...['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', allowedHeaders],
      ...['Access-Control-Max-Age', String(preflightSeconds)],
    ];
  }
}

const none: readonly string[] = [];
