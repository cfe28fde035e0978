import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the request uses the scheme Bearer (RFC 6750), with or without a token. Other schemes are ignored: behind a proxy with Basic
 * authentication, browsers send Basic credentials with every request.
 */
export function usesBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && /^Bearer(?: |$)/i.test(authorization);
}
