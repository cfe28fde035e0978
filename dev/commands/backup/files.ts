import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileStorage, StoredFile } from '#libs/file-storage';

export interface FilesSummary {
  files: number;
  /** The hash of all names and bytes, in the order of the ids. */
  sha256: string;
  /** Entries (the files with one id) that were deleted while they were being read. Their files are not in `files` and `sha256`. */
  skipped: number;
}

/** Replaces entries in `to` that have the same id. */
export async function copyFiles(from: FileStorage, to: FileStorage): Promise<FilesSummary> {
  return eachEntry(from, async (id, files) => {
    await to.remove(id);
    await to.put(id, files);
  });
}

export const summaryOfFiles = (storage: FileStorage) => eachEntry(storage, () => Promise.resolve());

async function eachEntry(
  storage: FileStorage,
  work: (id: string, files: StoredFile[]) => Promise<void>,
): Promise<FilesSummary> {
  const hash = createHash('sha256');
  let [count, skipped] = [0, 0];
  for await (const { id, names } of storage.listEntries()) {
    const files = await Promise.all(
      names.map(async (name) => ({ name, body: await bodyOf(storage, id, name) })),
    );
    // The entry was deleted meanwhile, so the site no longer needs it. The copied databases may still refer to it.
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

/** Reads a stream, because a large file may take longer than the time limit of a call to a bucket. */
async function bodyOf(storage: FileStorage, id: string, name: string): Promise<Buffer | undefined> {
  const stream = await storage.findStream(id, name);
  return stream && buffer(stream);
}
