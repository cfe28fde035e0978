import { Readable } from 'node:stream';
import { Zip, ZipPassThrough } from 'fflate';

export interface FileToArchive {
  name: string;
  read(): Promise<Buffer>;
}

/**
 * A ZIP archive as a stream. `highWaterMark: 1` prevents reading ahead: a file is read only when the one before it has left the stream. So memory
 * holds two files at most. If a file cannot be read, the download fails, so that an incomplete archive is not mistaken for a complete one. Files are
 * not compressed, because PDF files already are.
 */
export function zipStream(files: readonly FileToArchive[]): Readable {
  return Readable.from(chunksOf(files), { objectMode: false, highWaterMark: 1 });
}

async function* chunksOf(files: readonly FileToArchive[]): AsyncGenerator<Uint8Array> {
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
