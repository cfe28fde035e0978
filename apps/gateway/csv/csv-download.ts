import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { PageOf } from '#libs/contracts';
import { byteOrderMark, csvLine } from './csv-text.js';

/** One column: its head, and what it holds of a record. */
export type CsvColumns<R> = readonly (readonly [head: string, value: (record: R) => string])[];

/** Few enough to be small in memory, many enough to be quick. */
const rowsOfAPage = 1000;

type Part<R> = Pick<PageOf<R>, 'items' | 'nextCursor'>;

/** The next page of the list: `limit` records from `cursor` on, or fewer where records are large. */
type ReadPage<R> = (part: { limit: number; cursor?: string }) => Promise<Part<R>>;

/**
 * Sends a whole list as a file, however long: a page is read when the one before has gone out, so that memory holds two pages at most,
 * and a client that stops reading, or goes, stops the reading too. A failure of the first page is answered as usual; a later one breaks
 * the download off, so that nobody takes a part for the whole.
 */
export async function sendCsv<R>(
  reply: FastifyReply,
  name: string,
  columns: CsvColumns<R>,
  readPage: ReadPage<R>,
): Promise<void> {
  const first = await readPage({ limit: rowsOfAPage });
  const today = new Date().toISOString().slice(0, 10);
  await reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}-${today}.csv"`)
    .send(Readable.from(pagesAsText(columns, first, readPage), { objectMode: false, highWaterMark: 1 }));
}

async function* pagesAsText<R>(
  columns: CsvColumns<R>,
  first: Part<R>,
  readPage: ReadPage<R>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(([head]) => head));
  for (let page = first; ; page = await readPage({ limit: rowsOfAPage, cursor: page.nextCursor })) {
    if (page.items.length > 0)
      yield page.items.map((record) => csvLine(columns.map(([, value]) => value(record)))).join('');
    if (page.nextCursor === null) return;
  }
}
