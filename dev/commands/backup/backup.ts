import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { FolderStorage, type FileStorage } from '#libs/file-storage';
import { databaseNames, type DatabaseName, type DatabaseUrls } from '../../stack/databases.js';
import { copyFiles } from './files.js';
import { copyOut, type SequenceCopy, sequencesOf, type TableCopy, tablesOf } from './table.js';

export interface BackupSource {
  databases: DatabaseUrls;
  /** Uploaded pictures. */
  images: FileStorage;
  /** The PDF files of invoices. */
  invoices: FileStorage;
  /** The files of projects, and their previews. */
  projectFiles: FileStorage;
  projectPreviews: FileStorage;
}

export interface DatabaseCopy {
  migrations: string[];
  tables: (TableCopy & { sha256: string })[];
  sequences: SequenceCopy[];
}

/** `manifest.json` of a backup; it is written last, so a backup without one is unfinished. */
export interface Manifest {
  version: 1;
  takenAt: string;
  /** How long writes waited, in milliseconds. */
  pausedMs: number;
  /** Backups of older versions lack those of services that did not exist yet. */
  databases: Partial<Record<DatabaseName, DatabaseCopy>>;
  /** Number of picture files. */
  images: number;
  /** See `FilesSummary`. Missing in backups of older versions. */
  imagesSha256?: string;
  /** Number of pictures that were deleted while they were being copied; the databases of the backup may still refer to them. */
  imagesSkipped?: number;
  /** Number and hash of the files of invoices. Missing in backups of older versions. */
  invoices?: number;
  invoicesSha256?: string;
  /** Number and hash of the files of projects, and of their previews. Missing in backups of older versions. */
  projectFiles?: number;
  projectFilesSha256?: string;
  projectPreviewsSha256?: string;
}

/** The storage of pictures inside a backup folder. */
export const picturesIn = (folder: string) => new FolderStorage(join(folder, 'images'));
/** The storage of invoices inside a backup folder. */
export const invoicesIn = (folder: string) => new FolderStorage(join(folder, 'invoices'));

/** The storages of files of projects, and of their previews, inside a backup folder. */
export const projectFilesIn = (folder: string) => new FolderStorage(join(folder, 'project-files'));
export const projectPreviewsIn = (folder: string) => new FolderStorage(join(folder, 'project-previews'));

/** How long the backup waits for running writes before it releases its locks and tries again. */
const lockTimeoutMs = 2_000;

/** Every command and every event writes to one of these tables, so locking them pauses all changes. */
const lockedTables = ['inbox_entries', 'consumed_events', 'outbox_messages'];

/**
 * Copies all databases as of one moment, the pictures, the invoices and the files of projects into a new folder. Writes wait some milliseconds while the
 * snapshots are taken; reads do not wait.
 */
export async function backup(
  { databases, images, invoices, projectFiles, projectPreviews }: BackupSource,
  folder: string,
): Promise<Manifest> {
  const unfinished = `${folder}.unfinished`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const readers = await openAll(databases);
  try {
    const pausedMs = await snapshotAll(databases, readers);
    const takenAt = new Date().toISOString();
    const copies: [DatabaseName, DatabaseCopy][] = [];
    for (const [name, client] of readers)
      copies.push([name, await copyDatabase(client, join(unfinished, name))]);
    // Pictures may take hours; the snapshots should not hold back Postgres's vacuum for that long.
    await endAll(readers);
    // Stored pictures never change; one that is uploaded now belongs to the next backup.
    const { files, sha256, skipped } = await copyFiles(images, picturesIn(unfinished));
    const invoiceFiles = await copyFiles(invoices, invoicesIn(unfinished));
    const ofProjects = await copyFiles(projectFiles, projectFilesIn(unfinished));
    const previews = await copyFiles(projectPreviews, projectPreviewsIn(unfinished));
    const manifest: Manifest = {
      version: 1,
      takenAt,
      pausedMs,
      databases: Object.fromEntries(copies),
      images: files,
      imagesSha256: sha256,
      imagesSkipped: skipped,
      invoices: invoiceFiles.files,
      invoicesSha256: invoiceFiles.sha256,
      projectFiles: ofProjects.files,
      projectFilesSha256: ofProjects.sha256,
      projectPreviewsSha256: previews.sha256,
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

/** Closes the clients. Calling it again does nothing. */
async function endAll(clients: Map<DatabaseName, pg.Client>): Promise<void> {
  await Promise.all([...clients.values()].map((client) => client.end()));
  clients.clear();
}

/** Begins a transaction in each database, all with a snapshot of the same moment. Returns how long writes waited, in milliseconds. */
async function snapshotAll(databases: DatabaseUrls, readers: Map<DatabaseName, pg.Client>): Promise<number> {
  const holders = await openAll(databases);
  try {
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
        return Date.now() - began;
      } catch (error) {
        // lock_not_available
        if ((error as { code?: string }).code !== '55P03' || attempt === 10) throw error;
      } finally {
        for (const holder of holders.values()) await holder.query('ROLLBACK');
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
    const stream = client.query(copyTo(copyOut(table)));
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
