import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { validate as isUuid } from 'uuid';
import type { FileStorage, StoredFile } from './file-storage.js';

/** The prefix of folders of unfinished uploads; no id begins with it. */
const unfinished = '.unfinished-';

/**
 * Stores files in a folder of this machine, or one that all processes share, with a sub-folder for each entry. The sub-folder is filled under another
 * name and then renamed, so that no incomplete entry is served if a process dies in between.
 */
export class FolderStorage implements FileStorage {
  constructor(private readonly folder: string) {}

  /** The same folder, because it has room for them. */
  get spoolFolder(): string {
    return this.folder;
  }

  async put(id: string, files: readonly StoredFile[]): Promise<void> {
    const filling = join(this.folder, `${unfinished}${randomUUID()}`);
    await mkdir(filling, { recursive: true });
    try {
      for (const { name, body } of files) await writeDurably(join(filling, name), body);
      await rename(filling, this.at(id));
    } catch (error) {
      await rm(filling, { recursive: true, force: true });
      throw error;
    }
  }

  async get(id: string, name: string): Promise<Buffer | undefined> {
    return orIfMissing(readFile(join(this.at(id), name)), undefined);
  }

  async remove(id: string): Promise<void> {
    await rm(this.at(id), { recursive: true, force: true });
  }

  async *entries(): AsyncIterable<{ id: string; names: string[] }> {
    for (const id of (await this.names()).filter((name) => isUuid(name)).sort()) {
      const names = await orIfMissing(readdir(this.at(id)), []);
      if (names.length > 0) yield { id, names: names.sort() };
    }
  }

  async *storedBefore(moment: Date): AsyncIterable<string> {
    for (const name of await this.names()) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found || found.mtime >= moment) continue;
      if (name.startsWith(unfinished)) await rm(path, { recursive: true, force: true });
      else if (isUuid(name)) yield name;
    }
  }

  private async names(): Promise<string[]> {
    const names: string[] = [];
    try {
      for await (const { name } of await opendir(this.folder)) names.push(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return names;
  }

  private at(id: string): string {
    if (!isUuid(id)) throw new Error('Files are stored under a UUID');
    return join(this.folder, id);
  }
}

/** The result of `reading`, or `otherwise` if the file does not exist (any more). */
async function orIfMissing<T, E>(reading: Promise<T>, otherwise: E): Promise<T | E> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  });
}

/** Writes and syncs to disk, because the answer to an upload promises that the picture is stored. */
async function writeDurably(path: string, body: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}
