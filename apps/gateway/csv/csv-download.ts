import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { PageOf } from '#libs/contracts';
import { Clock, utcDay } from '#libs/runtime';
import { byteOrderMark, csvLine } from './csv-text.js';

export type CsvColumns<R> = readonly (readonly [header: string, value: (record: R) => string])[];

const rowsPerPage = 1000;

type ListPage<R> = Pick<PageOf<R>, 'items' | 'nextCursor'>;

/** Pages may be shorter than `limit` where records are large. */
type ReadPage<R> = (range: { limit: number; cursor?: string }) => Promise<ListPage<R>>;

@Injectable()
export class CsvDownload {
  constructor(private readonly clock: Clock) {}

  /**
   * Sends a whole list as a file. Reads only one page ahead of the page that the client is taking, so memory holds at most two pages. A failure
   * after the first page breaks off the download, so that nobody mistakes a part for the whole file.
   */
  async send<R>(
    reply: FastifyReply,
    name: string,
    columns: CsvColumns<R>,
    readPage: ReadPage<R>,
  ): Promise<void> {
    const first = await readPage({ limit: rowsPerPage });
    const today = utcDay(this.clock.now());
    await reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}-${today}.csv"`)
      .send(Readable.from(pagesAsText(columns, first, readPage), { objectMode: false, highWaterMark: 1 }));
  }
}

async function* pagesAsText<R>(
  columns: CsvColumns<R>,
  first: ListPage<R>,
  readPage: ReadPage<R>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(([header]) => header));
  for (let page = first; ; page = await readPage({ limit: rowsPerPage, cursor: page.nextCursor })) {
    if (page.items.length > 0)
      yield page.items.map((record) => csvLine(columns.map(([, value]) => value(record)))).join('');
    if (page.nextCursor === null) return;
  }
}
