import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { freshDatabase, fullTest, type TestDatabase } from '#libs/testing';
import { backup, type SiteStores } from '../commands/backup/backup.js';
import { type DatabaseUrls, databaseNames } from '../stack/databases.js';
import { StackFailure } from '../stack/failure.js';
import { storagesFromConfig } from '../stack/storages.js';

let parent: string;
let databases: TestDatabase[];
let site: SiteStores;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'backup-'));
  databases = await Promise.all(databaseNames.map((name) => freshDatabase(name)));
  const urls = databases.map(({ url }, index) => [databaseNames[index], url] as const);
  site = {
    databases: Object.fromEntries(urls) as DatabaseUrls,
    ...storagesFromConfig({ IMAGES_DIR: join(parent, 'files'), IMAGES_S3_REGION: 'eu-test-1' }),
  };
});
afterAll(async () => {
  await Promise.all((databases ?? []).map((database) => database.drop()));
  rmSync(parent, { recursive: true });
});

test('a backup removes what a failed backup into the same folder has left', async () => {
  const folder = join(parent, '2026-11-21');
  mkdirSync(join(`${folder}.unfinished`, 'content'), { recursive: true });
  writeFileSync(join(`${folder}.unfinished`, 'content', 'former.copy.gz'), '');
  const { databases: copied } = await backup(site, folder);
  expect(Object.keys(copied).sort()).toEqual([...databaseNames].sort());
  expect(readdirSync(parent)).not.toContain('2026-11-21.unfinished');
  expect(readdirSync(join(folder, 'content'))).not.toContain('former.copy.gz');
});

test('a backup into a file, or into a folder that is not empty, is refused before anything is copied', async () => {
  const [folder, file] = [join(parent, 'existing'), join(parent, 'file')];
  mkdirSync(join(folder, 'content'), { recursive: true });
  writeFileSync(file, '');
  for (const path of [folder, file])
    await expect(backup(site, path)).rejects.toThrow(`${path} is not an empty folder. Choose another one.`);
  expect(readdirSync(parent).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
});

fullTest('a backup prevented by a running write says so, and does not create its folder', async () => {
  const writer = new pg.Client({ connectionString: site.databases.identity });
  await writer.connect();
  await writer.query('BEGIN');
  await writer.query('LOCK TABLE outbox_messages IN ROW EXCLUSIVE MODE');
  const failure = new StackFailure(
    'No backup was taken, because running writes kept the databases locked in all ten attempts. Try again later.',
  );
  await expect(backup(site, join(parent, 'prevented'))).rejects.toEqual(failure);
  await writer.end();
  expect(readdirSync(parent)).not.toContain('prevented');
});
