import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { processNames } from './settings.js';
import { affectedProcesses, watchSources } from './watch.js';

describe('the processes that a changed file affects', () => {
  test.each([
    ['apps/orders/app.module.ts', ['orders']],
    ['web/src/entry-server.tsx', ['gateway', 'web']],
    ['libs/contracts/src/pages.ts', [...processNames]],
    ['apps/README.md', []],
  ])('%s', (file, names) => {
    expect(affectedProcesses([file]).sort()).toEqual([...names].sort());
  });
});

test('reports a change that affects no process', async () => {
  const root = mkdtempSync(join(tmpdir(), 'watched-'));
  for (const folder of ['apps', 'libs', 'web']) mkdirSync(join(root, folder));
  const reports: string[] = [];
  const stack = { replace: async () => undefined };
  const watcher = watchSources(
    root,
    stack,
    async () => undefined,
    (text) => reports.push(text),
  );
  try {
    writeFileSync(join(root, 'apps', 'README.md'), '');
    await eventually(() =>
      expect(reports.slice(1)).toEqual(['Changed: apps/README.md', 'No process needs a restart.']),
    );
  } finally {
    watcher.close();
    rmSync(root, { recursive: true });
  }
});
