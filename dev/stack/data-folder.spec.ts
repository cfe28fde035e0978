import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DataFolder } from './data-folder.js';
import { StackFailure } from './failure.js';
import { processIdentity } from './processes.js';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rmSync(path, { recursive: true }));

test.each([
  ['npm start', 'The site is already running (process <pid>) with the data in <folder>. Stop it,'],
  [
    'npm run restore',
    'npm run restore (process <pid>) is using the data in <folder>. Wait until it has finished,',
  ],
] as const)(
  'a folder that %s uses cannot be claimed, and the refusal names what uses it',
  async (command, beginning) => {
    await DataFolder.claim(path, command);
    // As if another process had claimed it.
    const file = join(path, 'processes.json');
    const claim = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...claim, supervisor: processIdentity(process.ppid) }));
    const sentence = beginning.replace('<pid>', String(process.ppid)).replace('<folder>', path);
    const failure = new StackFailure(`${sentence} or set DATA_DIR to another folder.`);
    await expect(DataFolder.claim(path, 'npm start')).rejects.toEqual(failure);
  },
);
