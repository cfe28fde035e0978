import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareHome, removeDataFolder } from './home.js';

/** Only its owner can enter it. If root runs this test, the servers therefore get a folder elsewhere. */
let privateFolder: string;
let dataDir: string;
beforeEach(() => {
  privateFolder = mkdtempSync(join(tmpdir(), 'seo-services-home-'));
  dataDir = join(privateFolder, 'data');
});
afterEach(() => {
  removeDataFolder(dataDir);
  rmSync(privateFolder, { recursive: true, force: true });
});

test('the folder stays the same, and is created again after it was deleted', () => {
  const { folder } = prepareHome(dataDir);
  expect(prepareHome(dataDir).folder).toBe(folder);

  rmSync(folder, { recursive: true });
  expect(existsSync(prepareHome(dataDir).folder)).toBe(true);
});
