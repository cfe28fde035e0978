import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageOf } from '#libs/contracts';

/** The array that a list answers, with `X-Total-Count`, and with `Link` if there is a next page. */
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
  reply.header('Link', `<${nextPage(request.url, cursor)}>; rel="next"`);
}

/** The same address, at the cursor; relative (RFC 8288 section 3.1), so it holds wherever the site is. */
function nextPage(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://any');
  searchParams.delete('page');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams}`;
}
