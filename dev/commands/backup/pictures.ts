import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileStorage, StoredFile } from '#libs/file-storage';

export interface PicturesSummary {
  files: number;
  /** Hash of all names and bytes, in the order of the ids. */
  sha256: string;
  /** Number of pictures that were deleted while they were being read; they are not in `files`. */
  skipped: number;
}

/** Copies every picture, one at a time, and replaces pictures in `to` that have the same id. */
export async function copyPictures(from: FileStorage, to: FileStorage): Promise<PicturesSummary> {
  return eachPicture(from, async (id, files) => {
    await to.remove(id);
    await to.put(id, files);
  });
}

/** Reads every picture as `copyPictures` does, without copying it. */
export const summaryOfPictures = (storage: FileStorage) => eachPicture(storage, () => Promise.resolve());

async function eachPicture(
  storage: FileStorage,
  work: (id: string, files: StoredFile[]) => Promise<void>,
): Promise<PicturesSummary> {
  const hash = createHash('sha256');
  let [count, skipped] = [0, 0];
  for await (const { id, names } of storage.entries()) {
    const files = await Promise.all(
      names.map(async (name) => ({ name, body: await bodyOf(storage, id, name) })),
    );
    // Deleted while it was being read: the site no longer shows it, but the databases copied earlier may still refer to it.
    if (!files.every((file): file is StoredFile => file.body !== undefined)) {
      skipped += 1;
      continue;
    }
    await work(id, files);
    for (const { name, body } of files) hash.update(`${id}/${name} ${body.length}\n`).update(body);
    count += files.length;
  }
  return { files: count, sha256: hash.digest('hex'), skipped };
}

/** Reads the file as a stream, because a large file of a project may take longer than the time limit of a call to a bucket. */
async function bodyOf(storage: FileStorage, id: string, name: string): Promise<Buffer | undefined> {
  const stream = await storage.read(id, name);
  return stream && buffer(stream);
}
