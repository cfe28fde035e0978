import { Readable } from 'node:stream';
import { Zip, ZipPassThrough } from 'fflate';

/** A file of an archive, which is read when its turn comes. */
export interface ArchivedFile {
  name: string;
  read(): Promise<Buffer>;
}

/**
 * A ZIP archive, as it is sent: a file is read when the one before has been sent, so that memory holds one or two files however long the archive is. A file
 * that cannot be read breaks off the archive, so that nobody takes a part for the whole. Files are stored as they are, because PDF files are compressed
 * already.
 */
export function zipStream(files: readonly ArchivedFile[]): Readable {
  return Readable.from(chunksOf(files), { objectMode: false, highWaterMark: 1 });
}

async function* chunksOf(files: readonly ArchivedFile[]): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const { name, read } of files) {
    const file = new ZipPassThrough(name);
    zip.add(file);
    file.push(await read(), true);
    yield* chunks;
    chunks = [];
  }
  zip.end();
  yield* chunks;
}
