import type { IncomingHttpHeaders } from 'node:http';
import { usesBearer } from '../auth/bearer.js';
import { HttpFailure } from '../problem/problem.js';
import type { Policy } from '#libs/contracts';

interface OriginFacts {
  method: string;
  headers: IncomingHttpHeaders;
  policy: Policy;
  /** Whether the request has a cookie of `SessionCookies`. */
  hasCookies: boolean;
  ownOrigin: string;
  isAllowedOrigin(origin: string): boolean;
}

/**
 * Refuses writes that another site made a browser send. Another site cannot make a browser send a Bearer token, so a request with one passes.
 * Otherwise `Sec-Fetch-Site` must be `same-origin`, or `Origin` must be the site's own. A client that sends neither header is not a browser, and
 * passes unless it has cookies. Allowed origins may make calls that neither use nor set cookies.
 */
export function refuseCrossSite({ method, headers, policy, hasCookies, ...facts }: OriginFacts): void {
  if (method === 'GET' || method === 'HEAD' || usesBearer(headers)) return;
  const evidence = siteOf(headers, facts.ownOrigin);
  if (evidence === 'own' || (evidence === 'unknown' && !hasCookies)) return;
  const isWithoutCookies = !hasCookies && policy.setsCookies === undefined;
  if (isWithoutCookies && headers.origin !== undefined && facts.isAllowedOrigin(headers.origin)) return;
  throw new HttpFailure('CROSS_SITE_REQUEST');
}

function siteOf(headers: IncomingHttpHeaders, ownOrigin: string): 'own' | 'foreign' | 'unknown' {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite === 'same-origin') return 'own';
  if (headers.origin !== undefined) return headers.origin === ownOrigin ? 'own' : 'foreign';
  return fetchSite === undefined ? 'unknown' : 'foreign';
}
