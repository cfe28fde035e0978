import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cursorLimit, type PageOf, pageLimit, searchText } from '#libs/contracts';

const deepestPage = 1_000_000;

/** A parameter given twice arrives as a list. */
const once = { error: 'must be given once' };

export function wholeNumber(maximum: number) {
  const message = `must be a whole number from 1 to ${maximum.toLocaleString('en-US')}`;
  return z
    .string(once)
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(maximum, message));
}

/** Which part of a list: of `page` and `cursor` the cursor wins. */
export const pageQuery = z.object({
  page: wholeNumber(deepestPage).optional().describe('Counted from 1.'),
  limit: wholeNumber(pageLimit).optional().describe(`Records of a page; ${pageLimit} unless said otherwise.`),
  cursor: z
    .string(once)
    .max(cursorLimit, 'is not a cursor of this list')
    .optional()
    .describe('From `Link` of the page before; equally fast at any depth.'),
  search: searchText.optional().describe('Text that the records contain, in any letter case.'),
});

/** The array that a list call answers, with `X-Total-Count`, and `Link` to the next page where there is one. */
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
