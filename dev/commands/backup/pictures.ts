import { createHash } from 'node:crypto';
import type { ImageStorage, StoredFile } from '#libs/image-storage';

export interface PicturesSummary {
  files: number;
  /** Of all names and bytes, in the order of the ids. */
  sha256: string;
  /** Of how many pictures a file went while they were read: they are not among the others. */
  skipped: number;
}

/** Copies every picture, one at a time; what `to` has under the same id gives way. */
export async function copyPictures(from: ImageStorage, to: ImageStorage): Promise<PicturesSummary> {
  return eachPicture(from, async (id, files) => {
    await to.remove(id);
    await to.put(id, files);
  });
}

/** Reads every picture, as `copyPictures` would. */
export const summaryOfPictures = (storage: ImageStorage) => eachPicture(storage, () => Promise.resolve());

async function eachPicture(
  storage: ImageStorage,
  work: (id: string, files: StoredFile[]) => Promise<void>,
): Promise<PicturesSummary> {
  const hash = createHash('sha256');
  let [count, skipped] = [0, 0];
  for await (const { id, names } of storage.pictures()) {
    const files = await Promise.all(names.map(async (name) => ({ name, body: await storage.get(id, name) })));
    // Removed while it was read: the site does not show it any more, but databases copied before may still name it.
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
