import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { validate as isUuid } from 'uuid';
import type { ByteRange, FileStorage, StoredFile, TusStore, UploadStorage } from './file-storage.js';

/** No id begins with it. */
const unfinishedPrefix = '.unfinished-';

/**
 * Stores each entry as a sub-folder. It is filled under another name and then renamed, so that a killed process leaves no incomplete entry to be
 * read.
 */
export class FolderStorage implements FileStorage {
  constructor(private readonly folder: string) {}

  get spoolFolder(): string {
    return this.folder;
  }

  async put(id: string, files: readonly StoredFile[]): Promise<void> {
    await this.fill(id, async (newFolder) => {
      for (const { name, body } of files) await writeDurably(join(newFolder, name), body);
    });
  }

  async findBytes(id: string, name: string): Promise<Buffer | undefined> {
    return orIfMissing(readFile(join(this.pathOf(id), name)), undefined);
  }

  async findStream(id: string, name: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = await orIfMissing(open(join(this.pathOf(id), name)), undefined);
    return file?.createReadStream(range);
  }

  /** Stores a copy of a file on this machine as the only file of an entry, unless the entry exists. */
  async putCopy(id: string, name: string, path: string): Promise<void> {
    const filling = this.fill(id, async (newFolder) => {
      // The copy shares the blocks of the original if the file system can do that.
      await copyFile(path, join(newFolder, name), constants.COPYFILE_FICLONE);
      await sync(join(newFolder, name));
    });
    await filling.catch((error: unknown) => {
      if (!hasErrorCode(error, ['ENOTEMPTY', 'EEXIST'])) throw error;
    });
  }

  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true });
  }

  async *listEntries(): AsyncIterable<{ id: string; names: string[] }> {
    for (const id of (await namesIn(this.folder)).filter((name) => isUuid(name)).sort()) {
      const names = await orIfMissing(readdir(this.pathOf(id)), []);
      if (names.length > 0) yield { id, names: names.sort() };
    }
  }

  /** Also removes what killed processes left behind: folders of incomplete entries older than this moment. */
  async *idsStoredBefore(moment: Date): AsyncIterable<string> {
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found || found.mtime >= moment) continue;
      if (name.startsWith(unfinishedPrefix)) await rm(path, { recursive: true, force: true });
      else if (isUuid(name)) yield name;
    }
  }

  private async fill(id: string, write: (newFolder: string) => Promise<void>): Promise<void> {
    const newFolder = join(this.folder, `${unfinishedPrefix}${randomUUID()}`);
    await mkdir(newFolder, { recursive: true });
    try {
      await write(newFolder);
      // Without `syncFolder`, a power failure could leave an entry without its files, or no entry.
      await syncFolder(newFolder);
      await rename(newFolder, this.pathOf(id));
      await syncFolder(this.folder);
    } catch (error) {
      await rm(newFolder, { recursive: true, force: true });
      throw error;
    }
  }

  private pathOf(id: string): string {
    if (!isUuid(id)) throw new Error('Files are stored under a UUID');
    return join(this.folder, id);
  }
}

/** Receives uploads in a folder that the gateways and the projects service share. */
export class FolderUploads implements UploadStorage {
  private store: Promise<TusStore> | undefined;

  constructor(
    private readonly folder: string,
    private readonly files: FolderStorage,
  ) {}

  tusStore(): Promise<TusStore> {
    this.store ??= this.openStore().catch((error: unknown) => {
      // The next request tries again.
      this.store = undefined;
      throw error;
    });
    return this.store;
  }

  keyOf(id: string): string {
    if (!isUuid(id)) throw new Error('Uploads are stored under a UUID');
    return id;
  }

  async findSize(id: string): Promise<number | undefined> {
    return orIfMissing(
      stat(this.pathOf(id)).then(({ size }) => size),
      undefined,
    );
  }

  async finish(id: string, fileName: string): Promise<void> {
    await this.files.putCopy(id, fileName, this.pathOf(id));
  }

  async remove(id: string): Promise<void> {
    for (const path of [this.pathOf(id), `${this.pathOf(id)}.json`]) await rm(path, { force: true });
  }

  async *idsStoredBefore(moment: Date): AsyncIterable<string> {
    for (const name of await namesIn(this.folder)) {
      const id = name.replace(/\.json$/, '');
      const found = isUuid(id) ? await stat(join(this.folder, name)).catch(() => undefined) : undefined;
      if (found && found.mtime < moment) yield id;
    }
  }

  async removeOrphan(id: string): Promise<void> {
    await this.remove(id);
  }

  private async openStore(): Promise<TusStore> {
    const { FileStore } = await import('@tus/file-store');
    await mkdir(this.folder, { recursive: true });
    return new FileStore({ directory: this.folder });
  }

  private pathOf(id: string): string {
    return join(this.folder, this.keyOf(id));
  }
}

/** Empty if the folder does not exist yet. */
async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) names.push(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return names;
}

async function orIfMissing<T, E>(reading: Promise<T>, otherwise: E): Promise<T | E> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  });
}

function hasErrorCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Writes to disk what is still in memory: the bytes of a file, or the list of the files in a folder. */
async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Some file systems cannot sync folders. Like Postgres, we then go on. */
async function syncFolder(path: string): Promise<void> {
  await sync(path).catch((error: unknown) => {
    if (!hasErrorCode(error, ['EBADF', 'EINVAL', 'ENOTSUP'])) throw error;
  });
}

/** Syncs, because `put` promises that the files are stored. */
async function writeDurably(path: string, body: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}
