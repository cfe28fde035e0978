import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { databaseNames } from '../../stack/databases.js';
import { run } from './command.js';

let root: string;
let printed: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backup-command-'));
  printed = [];
  jest.spyOn(console, 'error').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  for (const name of databaseNames) delete process.env[`${name.toUpperCase()}_DATABASE_URL`];
  delete process.env.DATA_DIR;
  rmSync(root, { recursive: true });
});

const setDatabaseUrls = (url: string) => {
  for (const name of databaseNames) process.env[`${name.toUpperCase()}_DATABASE_URL`] = url;
};

test.each([
  [
    'that cannot be reached',
    'postgres://site@127.0.0.1:1/site',
    'CONTENT_DATABASE_URL: Postgres at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
  ],
  ['whose address is malformed', 'site', 'CONTENT_DATABASE_URL must be an address like postgres://host.'],
])('a backup or restore with a database %s fails, and prints one sentence', async (_what, url, sentence) => {
  setDatabaseUrls(url);
  expect(await run(root, ['backup', join(root, 'copy')])).toBe(1);
  expect(await run(root, ['restore', join(root, 'copy')])).toBe(1);
  expect(printed).toEqual([sentence, sentence]);
});

test.each([
  ['a site that was never started', undefined],
  ['a killed site', 'postgres://127.0.0.1:1/content'],
])('a backup of %s says that the site is not running', async (_what, content) => {
  if (content) writeFileSync(join(root, 'stack.json'), JSON.stringify({ databases: { content } }));
  process.env.DATA_DIR = root;
  expect(await run(root, ['backup', join(root, 'copy')])).toBe(1);
  expect(printed).toEqual([`The site with the data in ${root} is not running. Start it with npm start.`]);
});

test.each([
  ['backup', 'copy', '--replace'],
  ['restore', 'copy', '--repalce'],
])('an unknown option is refused: %s %s %s', async (...args) => {
  expect(await run(root, args)).toBe(1);
  expect(printed[0]).toMatch(/^Usage: /);
});
