import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileStorage, StoredFile } from '#libs/file-storage';

export interface FilesSummary {
  files: number;
  /** Hash of all names and bytes, in the order of the ids. */
  sha256: string;
  /** Number of entries (each is the files with one id) that were deleted while they were being read; their files are not counted in `files`. */
  skipped: number;
}

/** Copies the files of every entry, one entry at a time, and replaces entries in `to` that have the same id. */
export async function copyFiles(from: FileStorage, to: FileStorage): Promise<FilesSummary> {
  return eachEntry(from, async (id, files) => {
    await to.remove(id);
    await to.put(id, files);
  });
}

/** Reads every entry as `copyFiles` does, without copying it. */
export const summaryOfFiles = (storage: FileStorage) => eachEntry(storage, () => Promise.resolve());

async function eachEntry(
  storage: FileStorage,
  work: (id: string, files: StoredFile[]) => Promise<void>,
): Promise<FilesSummary> {
  const hash = createHash('sha256');
  let [count, skipped] = [0, 0];
  for await (const { id, names } of storage.entries()) {
    const files = await Promise.all(
      names.map(async (name) => ({ name, body: await bodyOf(storage, id, name) })),
    );
    // The entry was deleted while it was being read, so the site no longer needs it. The copied databases may still refer to it.
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
