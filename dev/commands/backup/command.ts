import { join } from 'node:path';
import { startPostgres } from '../../embedded/postgres.js';
import { DataFolder } from '../../stack/data-folder.js';
import {
  type DatabaseName,
  databaseNames,
  type DatabaseUrls,
  createEmbeddedDatabases,
  createExternalDatabases,
  requireDatabase,
} from '../../stack/databases.js';
import { StackFailure } from '../../stack/failure.js';
import { databasesOfRunningSite } from '../../stack/running-site.js';
import { readSettings, type StackSettings } from '../../stack/settings.js';
import { storageNames, storagesOf } from '../../stack/storages.js';
import { backup, type Manifest } from './backup.js';
import { RestoreFailed, restore } from './restore.js';

const urlSettingOf = (name: DatabaseName) => `${name.toUpperCase()}_DATABASE_URL`;

const usage = `Usage: npm run backup [-- folder]
       npm run restore -- folder [--replace]

backup copies all databases (as of one moment), the uploaded pictures, the invoices, the files of
projects and the received mails that are not handled yet, while the site runs. restore fills an
empty, stopped site; --replace empties its databases first.
Both use the site on this machine (DATA_DIR). For another site, set ${databaseNames.map(urlSettingOf).join(', ')},
and the folder or bucket of all its files: IMAGES_DIR, or IMAGES_S3_URL with its keys.`;

/** Returns the exit code. */
export async function run(root: string, [command, ...args]: string[]): Promise<number> {
  try {
    const settings = readSettings(root, process.env);
    const replace = command === 'restore' && args.includes('--replace');
    const folders = args.filter((arg) => !(replace && arg === '--replace'));
    if (folders.some((folder) => folder.startsWith('-'))) {
      console.error(usage);
      return 1;
    }
    if (command === 'backup' && folders.length <= 1) {
      const folder =
        folders[0] ?? join(settings.dataDir, 'backups', new Date().toISOString().replaceAll(':', '-'));
      const manifest = await backup(
        {
          databases: (await namedDatabases(settings)) ?? (await databasesOfRunningSite(settings.dataDir)),
          ...storagesOf(settings),
        },
        folder,
      );
      console.log(`${folder}: ${summary(manifest)}; writes waited ${manifest.pausedMs} ms.`);
      return 0;
    }
    if (command === 'restore' && folders.length === 1) {
      const manifest = await withDatabasesOfStoppedSite(settings, (databases) =>
        restore(folders[0]!, { databases, ...storagesOf(settings) }, { replace }),
      );
      console.log(`Restored the backup of ${manifest.takenAt}: ${summary(manifest)}.`);
      return 0;
    }
    console.error(usage);
    return 1;
  } catch (error) {
    if (!(error instanceof StackFailure || error instanceof RestoreFailed)) throw error;
    console.error(error.message);
    return 1;
  }
}

function summary({ databases, ...manifest }: Manifest): string {
  const rows = databaseNames.map((name) =>
    (databases[name]?.tables ?? []).reduce((sum, table) => sum + table.rows, 0),
  );
  const { images = 0, invoices = 0, projectFiles = 0 } = manifest;
  const skipped = storageNames.reduce((sum, name) => sum + (manifest[`${name}Skipped`] ?? 0), 0);
  return [
    ...databaseNames.map((name, index) => `${name} ${rows[index]} rows`),
    ...[`${images} picture files`, `${invoices} invoices`, `${projectFiles} project files`],
    ...(skipped > 0
      ? [`without ${skipped} pictures, invoices, project files or mails that were deleted meanwhile`]
      : []),
  ].join(', ');
}

/** Undefined if the settings name no database. Throws a StackFailure if they name only some, or if one cannot be reached. */
async function namedDatabases({ env }: StackSettings): Promise<DatabaseUrls | undefined> {
  const urls = databaseNames.map((name) => [name, env[urlSettingOf(name)]] as const);
  if (urls.every(([, url]) => url === undefined)) return undefined;
  const missing = urls.filter(([, url]) => url === undefined).map(([name]) => urlSettingOf(name));
  if (missing.length > 0) throw new StackFailure(`Missing settings: ${missing.join(', ')}.`);
  const databases = Object.fromEntries(urls) as DatabaseUrls;
  for (const name of databaseNames) await requireDatabase(urlSettingOf(name), databases[name]);
  return databases;
}

/**
 * The services must be stopped, because they would write to the databases. Throws a StackFailure if a running site uses the data folder. If the
 * settings name the databases, whether the services are stopped is not checked.
 */
async function withDatabasesOfStoppedSite<T>(
  settings: StackSettings,
  work: (databases: DatabaseUrls) => Promise<T>,
): Promise<T> {
  const named = await namedDatabases(settings);
  if (named) return work(named);
  const folder = await DataFolder.claim(settings.dataDir, 'npm run restore');
  try {
    if (settings.DATABASE_URL) return await work(await createExternalDatabases(settings.DATABASE_URL));
    const postgres = await startPostgres({ dataDir: folder.path });
    try {
      return await work(await createEmbeddedDatabases(postgres.url('postgres')));
    } finally {
      await postgres.stop();
    }
  } finally {
    folder.release();
  }
}
