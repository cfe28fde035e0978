import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import { SystemClock } from '#libs/runtime';
import { CsvDownload } from './csv-download.js';

interface Row {
  name: string;
}
const csv = new CsvDownload(new SystemClock());
const columns = [['Name', ({ name }: Row) => name]] as const;

async function serveList(pages: number, failAt = Infinity) {
  const readCursors: (string | undefined)[] = [];
  const app = fastify();
  app.get('/', (_, reply) =>
    csv.send(reply, 'people', columns, ({ cursor }) => {
      readCursors.push(cursor);
      const page = Number(cursor ?? 1);
      if (page === failAt) return Promise.reject(new Error('gone'));
      const items = [{ name: `person ${page}` }];
      return Promise.resolve({ items, nextCursor: page < pages ? String(page + 1) : null });
    }),
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, readCursors, close: () => app.close() };
}

test('all pages become one dated CSV file that begins with a byte order mark, each row once', async () => {
  const { url, close } = await serveList(3);
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  await close();
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(bytes.toString().slice(1)).toBe('"Name"\r\n"person 1"\r\n"person 2"\r\n"person 3"\r\n');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="people-\d{4}-\d\d-\d\d\.csv"$/,
  );
});

test('when the first page cannot be read, the call fails; when a later page cannot be read, the answer breaks off', async () => {
  const unreadable = await serveList(1, 1);
  expect((await fetch(unreadable.url)).status).toBe(500);
  await unreadable.close();
  const broken = await serveList(3, 2);
  await expect(fetch(broken.url).then((answer) => answer.text())).rejects.toThrow('terminated');
  await broken.close();
});

test('a client that disconnects stops the reading', async () => {
  const { url, readCursors, close } = await serveList(1_000_000);
  const leaving = new AbortController();
  const answer = await fetch(url, { signal: leaving.signal });
  await answer.body!.getReader().read();
  leaving.abort();
  // `close` waits until reading has stopped. If the disconnection went unnoticed, all million pages would be read.
  await close();
  expect(readCursors.length).toBeLessThan(100_000);
});
