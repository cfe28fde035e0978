import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the request brings a Bearer (RFC 6750). Other schemes are not ours: a browser adds Basic by itself to whatever lies
 * behind a proxy that asks for it.
 */
export function hasBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^Bearer(?: |$)/i.test(authorization);
}
