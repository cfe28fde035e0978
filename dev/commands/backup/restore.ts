import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { FolderStorage } from '#libs/file-storage';
import { databaseNames, type DatabaseName } from '../../stack/databases.js';
import { storageNames } from '../../stack/storages.js';
import {
  type DatabaseCopy,
  digestOf,
  type Manifest,
  readManifest,
  type SiteStores,
  storageFolder,
} from './backup.js';
import { copyFiles, summaryOfFiles } from './files.js';
import { copyInSql, quoted } from './table.js';

const execute = promisify(execFile);
const dist = fileURLToPath(new URL('../../../', import.meta.url));

export class RestoreFailed extends Error {}

export interface RestoreOptions {
  /** Empties databases that have tables, instead of failing. */
  replace?: boolean;
}

/**
 * Fills empty databases from a backup, and adds its files to the storages; the services must be stopped. Each schema is created as it was at the
 * backup, filled, and then migrated. A database that the backup lacks gets only its schema. Queued mails and started campaigns are cancelled, because
 * they may have been sent after the backup; scheduled campaigns become drafts. Rejects with RestoreFailed if the backup is damaged or unfinished, a
 * database is not empty, or a schema cannot be created.
 */
export async function restore(
  folder: string,
  { databases, ...storages }: SiteStores,
  { replace = false }: RestoreOptions = {},
): Promise<Manifest> {
  const manifest = await readManifest(folder).catch(() => {
    throw new RestoreFailed(`${folder} is not a complete backup: it has no readable manifest.json.`);
  });
  await verify(folder, manifest);
  for (const name of databaseNames) await ensureEmpty(databases[name], name, replace);
  const eventIds: string[] = [];
  for (const name of databaseNames) {
    const copy = manifest.databases[name];
    if (!copy) continue;
    await migrate(name, databases[name], copy.migrations);
    eventIds.push(...(await fill(databases[name], copy, join(folder, name))));
  }
  await preventRepeatedMails(databases.messaging, eventIds);
  for (const name of databaseNames) await migrate(name, databases[name]);
  for (const name of storageNames)
    await copyFiles(new FolderStorage(storageFolder(folder, name)), storages[name]);
  return manifest;
}

async function verify(folder: string, manifest: Manifest): Promise<void> {
  for (const name of databaseNames) {
    for (const table of manifest.databases[name]?.tables ?? []) {
      const file = join(folder, name, `${table.name}.copy.gz`);
      const found = await digestOf(file).catch(() => 'missing');
      if (found !== table.sha256) throw new RestoreFailed(`The backup is damaged: ${file}.`);
    }
  }
  for (const name of storageNames) await verifyFiles(storageFolder(folder, name), manifest[`${name}Sha256`]);
}

/** Backups of older versions have no hash. */
async function verifyFiles(path: string, expected: string | undefined): Promise<void> {
  if (expected === undefined) return;
  const { sha256 } = await summaryOfFiles(new FolderStorage(path));
  if (sha256 !== expected) throw new RestoreFailed(`The backup is damaged: ${path}.`);
}

async function ensureEmpty(url: string, name: DatabaseName, replace: boolean): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`,
    );
    if (rows[0]!.count === 0) return;
    if (!replace) {
      throw new RestoreFailed(`The database ${name} is not empty. Use --replace to delete what it holds.`);
    }
    await client.query('BEGIN');
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    await client.query(`DROP TABLE ${tables.map((table) => quoted(table.name)).join(', ')} CASCADE`);
    const { rows: routines } = await client.query<{ name: string }>(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
        WHERE p.pronamespace = 'public'::regnamespace AND p.proowner = current_user::regrole
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
    );
    for (const routine of routines) await client.query(`DROP ROUTINE ${routine.name} CASCADE`);
    await client.query('COMMIT');
  });
}

async function migrate(name: DatabaseName, url: string, onlyMigrations?: string[]): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    ...(onlyMigrations && { MIGRATIONS_ONLY: onlyMigrations.join(',') }),
  };
  await execute(process.execPath, [join(dist, 'apps', name, 'migrate.js')], { env }).catch(
    (error: { stdout: string; message: string }) => {
      throw new RestoreFailed(`The schema of ${name} could not be created: ${reasonOf(error)}`);
    },
  );
}

/** From the last line of the program's log. If the log is empty, `message` contains the program's standard error. */
function reasonOf({ stdout, message }: { stdout: string; message: string }): string {
  const last = stdout.trim().split('\n').at(-1)!;
  try {
    return (JSON.parse(last) as { err?: { message: string } }).err?.message ?? last;
  } catch {
    return last || message;
  }
}

/**
 * Returns the ids of the events that the outbox relay may send after the restore: unsent events, and those sent in the last minutes before the
 * backup, which the relay sends again after a restart of Redis (`resendMinutes`, by default 10; here with a margin).
 */
async function fill(url: string, copy: DatabaseCopy, folder: string): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query('BEGIN');
    // The backup contains the rows that triggers maintain, and some triggers refuse changes.
    for (const { name } of copy.tables)
      await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    // Migrations may have inserted rows.
    await client.query(`TRUNCATE ${copy.tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const table of copy.tables) {
      const stream = client.query(copyFrom(copyInSql(table)));
      await pipeline(createReadStream(join(folder, `${table.name}.copy.gz`)), createGunzip(), stream);
      if (stream.rowCount !== table.rows)
        throw new RestoreFailed(`${table.name} now has ${stream.rowCount} rows instead of ${table.rows}.`);
    }
    for (const { name } of copy.tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    for (const { name, value } of copy.sequences)
      if (value !== null)
        await client.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), value]);
    const { rows } = await client.query<{ id: string }>(
      `SELECT id::text FROM outbox_messages
        WHERE sent_at IS NULL OR sent_at > (SELECT max(occurred_at) FROM outbox_messages) - interval '15 minutes'`,
    );
    await client.query('COMMIT');
    return rows.map(({ id }) => id);
  });
}

/** Messaging's consumers that queue mails. Its other consumers still handle the events after a restore. */
const mailConsumers = ['mail', 'notices'];

async function preventRepeatedMails(messagingUrl: string, eventIds: string[]): Promise<void> {
  await withClient(messagingUrl, async (client) => {
    await client.query(
      `UPDATE mails SET state = 'cancelled', finished_at = now(), lease = NULL, params = params - 'link', params_blanked = params ? 'link',
              answer = 'Queued at the time of the backup; may have been sent since'
        WHERE state IN ('queued', 'sending')`,
    );
    // A backup of an older version has no campaigns.
    const { rows } = await client.query(`SELECT 1 FROM pg_tables WHERE tablename = 'campaigns'`);
    if (rows.length > 0) await stopCampaigns(client);
    await client.query(
      `INSERT INTO consumed_events (consumer, event_id)
       SELECT consumer, event_id FROM unnest($1::text[]) consumer, unnest($2::text[]) event_id ON CONFLICT DO NOTHING`,
      [mailConsumers, eventIds],
    );
  });
}

/** Nobody knows who got a campaign after the backup. */
async function stopCampaigns(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE campaigns SET state = 'cancelled', finished_at = now(), version = version + 1
      WHERE state IN ('sending', 'paused')`,
  );
  await client.query(
    `UPDATE campaigns SET state = 'draft', scheduled_at = NULL, version = version + 1 WHERE state = 'scheduled'`,
  );
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: 'restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
