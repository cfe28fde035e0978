import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageOf } from '#libs/contracts';

/** Sets `X-Total-Count` and, if there is a next page, `Link`. */
export function listAnswer<R>(
  { items, total, nextCursor }: PageOf<R>,
  request: FastifyRequest,
  reply: FastifyReply,
): R[] {
  reply.header('X-Total-Count', total);
  if (nextCursor !== null) linkToNext(nextCursor, request, reply);
  return items;
}

export function linkToNext(cursor: string, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Link', `<${nextPageUrl(request.url, cursor)}>; rel="next"`);
}

/** Relative (RFC 8288 section 3.1), so it is valid whatever the site's address is. */
function nextPageUrl(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any');
  searchParams.delete('page');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams}`;
}
