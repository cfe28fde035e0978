import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { FolderStorage } from '#libs/file-storage';
import { databaseNames, type DatabaseName, type DatabaseUrls } from '../../stack/databases.js';
import { StackFailure } from '../../stack/failure.js';
import { type StorageName, storageNames, type Storages } from '../../stack/storages.js';
import { copyFiles } from './files.js';
import { copyOutSql, type SequenceCopy, sequencesOf, type TableCopy, tablesOf } from './table.js';

export interface SiteStores extends Storages {
  databases: DatabaseUrls;
}

export interface DatabaseCopy {
  migrations: string[];
  tables: (TableCopy & { sha256: string })[];
  sequences: SequenceCopy[];
}

/**
 * For each storage: how many files were copied, how many entries were skipped, and a hash of the copied files (`FilesSummary` in `files.ts`). Backups
 * of older versions lack some of these fields.
 */
type CopiedFiles = Partial<
  Record<StorageName | `${StorageName}Skipped`, number> & Record<`${StorageName}Sha256`, string>
>;

/** `manifest.json`; written last, so a backup without one is unfinished. */
export interface Manifest extends CopiedFiles {
  version: 1;
  takenAt: string;
  /** The longest time (ms) that a write may have waited. Between two attempts to lock the tables, writes go on. */
  pausedMs: number;
  /** Backups of older versions lack newer services. */
  databases: Partial<Record<DatabaseName, DatabaseCopy>>;
}

const folderNames: Record<StorageName, string> = {
  inboundMails: 'inbound-mail',
  images: 'images',
  invoices: 'invoices',
  projectFiles: 'project-files',
  projectPreviews: 'project-previews',
};

export const storageFolder = (folder: string, name: StorageName) => join(folder, folderNames[name]);

/** Each lock waits for running writes. If one waits longer than this, the backup releases all locks and tries again. */
const lockTimeoutMs = 2_000;

/**
 * Every change that concerns several databases is made by an event or by a command that uses the inbox. Both write to one of these tables, so they
 * wait for the locks. A command that uses no inbox can be repeated without harm, and changes other databases only through events.
 */
const lockedTables = ['inbox_entries', 'consumed_events', 'outbox_messages'];

/**
 * Copies all databases, as of one moment, and all files into a new folder. Writes wait while the snapshots are taken, usually a few milliseconds.
 * Throws a StackFailure if writes have prevented the snapshots ten times, or if the folder is not empty.
 */
export async function backup({ databases, ...storages }: SiteStores, folder: string): Promise<Manifest> {
  if (!(await isEmptyOrMissing(folder)))
    throw new StackFailure(`${folder} is not an empty folder. Choose another one.`);
  const unfinished = `${folder}.unfinished`;
  const copied: CopiedFiles = {};
  const copyStorage = async (name: StorageName) => {
    const copy = new FolderStorage(storageFolder(unfinished, name));
    const { files, sha256, skipped } = await copyFiles(storages[name], copy);
    Object.assign(copied, { [name]: files, [`${name}Sha256`]: sha256, [`${name}Skipped`]: skipped });
  };
  // A failed backup may have left it.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const readers = await openAll(databases);
  try {
    const pausedMs = await snapshotAll(databases, readers);
    const takenAt = new Date().toISOString();
    // First, because the projects service removes a received mail from this storage as soon as it has handled it.
    await copyStorage('inboundMails');
    const copies: [DatabaseName, DatabaseCopy][] = [];
    for (const [name, client] of readers)
      copies.push([name, await copyDatabase(client, join(unfinished, name))]);
    // Copying the files may take hours; the snapshots should not hold back Postgres's vacuum for that long.
    await endAll(readers);
    // Stored files never change, and the copied databases do not refer to files that are uploaded from now on.
    for (const name of storageNames) if (name !== 'inboundMails') await copyStorage(name);
    const manifest: Manifest = {
      version: 1,
      takenAt,
      pausedMs,
      databases: Object.fromEntries(copies),
      ...copied,
    };
    await writeFile(join(unfinished, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(unfinished, folder);
    return manifest;
  } finally {
    await endAll(readers);
  }
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

async function openAll(databases: DatabaseUrls): Promise<Map<DatabaseName, pg.Client>> {
  const opened = new Map<DatabaseName, pg.Client>();
  for (const name of databaseNames) {
    const client = new pg.Client({ connectionString: databases[name], application_name: 'backup' });
    await client.connect();
    opened.set(name, client);
  }
  return opened;
}

/** May be called twice. */
async function endAll(clients: Map<DatabaseName, pg.Client>): Promise<void> {
  await Promise.all([...clients.values()].map((client) => client.end()));
  clients.clear();
}

/** Begins a transaction in each database, all with snapshots of one moment. Returns `Manifest.pausedMs`. */
async function snapshotAll(databases: DatabaseUrls, readers: Map<DatabaseName, pg.Client>): Promise<number> {
  const holders = await openAll(databases);
  try {
    let longestMs = 0;
    for (let attempt = 1; ; attempt++) {
      const began = Date.now();
      try {
        for (const holder of holders.values()) {
          await holder.query('BEGIN');
          await holder.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
          await holder.query(`LOCK TABLE ${lockedTables.join(', ')} IN SHARE MODE`);
        }
        for (const reader of readers.values()) {
          await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
          // The first statement takes the snapshot.
          await reader.query('SELECT 1');
        }
        return Math.max(longestMs, Date.now() - began);
      } catch (error) {
        // lock_not_available
        if ((error as { code?: string }).code !== '55P03') throw error;
        if (attempt === 10)
          throw new StackFailure(
            'No backup was taken, because running writes kept the databases locked in all ten attempts. Try again later.',
          );
        longestMs = Math.max(longestMs, Date.now() - began);
      } finally {
        // Fails only if the connection is broken, which has also ended the transaction.
        for (const holder of holders.values()) await holder.query('ROLLBACK').catch(() => undefined);
      }
    }
  } finally {
    await endAll(holders);
  }
}

async function copyDatabase(client: pg.Client, folder: string): Promise<DatabaseCopy> {
  await mkdir(folder, { mode: 0o700 });
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const tables: DatabaseCopy['tables'] = [];
  for (const table of await tablesOf(client)) {
    if (table.name === 'migrations') continue;
    const file = join(folder, `${table.name}.copy.gz`);
    const stream = client.query(copyTo(copyOutSql(table)));
    await pipeline(stream, createGzip(), createWriteStream(file, { mode: 0o600 }));
    tables.push({ ...table, rows: stream.rowCount, sha256: await digestOf(file) });
  }
  return { migrations: rows.map(({ name }) => name), tables, sequences: await sequencesOf(client) };
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function isEmptyOrMissing(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
