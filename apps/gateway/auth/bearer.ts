import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the request has a Bearer token (RFC 6750). Other schemes are ignored: behind a proxy with Basic authentication, browsers send
 * Basic credentials with every request.
 */
export function hasBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^Bearer(?: |$)/i.test(authorization);
}
