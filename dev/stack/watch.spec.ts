import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { processNames } from './settings.js';
import { affectedProcesses, watchSources } from './watch.js';

/** Creates a folder with the watched folders and `folders` in it. */
function watchedRoot(...folders: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'watched-'));
  for (const folder of ['apps', 'libs', 'web', ...folders])
    mkdirSync(join(root, folder), { recursive: true });
  return root;
}

/** Watches `root` while `work` runs, and then removes it. */
async function whileWatching(
  root: string,
  work: (reports: readonly string[]) => Promise<void>,
  rebuild = async (): Promise<void> => undefined,
): Promise<void> {
  const reports: string[] = [];
  const stack = { replaceProcesses: async () => undefined };
  const watcher = watchSources(root, stack, rebuild, (text) => reports.push(text));
  try {
    await work(reports);
  } finally {
    watcher.close();
    rmSync(root, { recursive: true });
  }
}

describe('the processes that a changed file affects', () => {
  test.each([
    ['apps/orders/app.module.ts', ['orders']],
    ['web/src/entry-server.tsx', ['gateway', 'web']],
    ['libs/contracts/src/pages.ts', [...processNames]],
    ['apps/README.md', []],
  ])('%s: %j', (file, names) => {
    expect(affectedProcesses([file]).sort()).toEqual([...names].sort());
  });
});

test('a build that succeeds after a failed one restarts the processes of both changes', async () => {
  const root = watchedRoot('apps/orders', 'apps/messaging');
  let error: Error | undefined = new Error('The build failed');
  await whileWatching(
    root,
    async (reports) => {
      writeFileSync(join(root, 'apps', 'orders', 'order.ts'), 'faulty');
      await eventually(() => expect(reports).toContain('The build failed'));
      error = undefined;
      writeFileSync(join(root, 'apps', 'messaging', 'mail.ts'), 'repaired');
      await eventually(() => expect(reports.at(-1)).toBe('Restarted: orders, messaging'));
      writeFileSync(join(root, 'apps', 'messaging', 'mail.ts'), 'improved');
      await eventually(() => expect(reports.at(-1)).toBe('Restarted: messaging'));
    },
    async () => {
      if (error) throw error;
    },
  );
});

describe('there is a warning, and other changes are still built, if', () => {
  const expectReported = (root: string, code: string, begin: (reports: readonly string[]) => void) =>
    whileWatching(root, async (reports) => {
      begin(reports);
      const failures = () => reports.filter((report) => report.startsWith(`! Some changes in apps`));
      await eventually(() => expect(failures()).toEqual([expect.stringContaining(code)]));
      writeFileSync(join(root, 'libs', 'library.ts'), '');
      await eventually(() => expect(reports.at(-1)).toMatch(/^Restarted: /));
      expect(failures()).toHaveLength(1);
    });

  test('a folder is missing', async () => {
    const root = watchedRoot();
    rmSync(join(root, 'apps'), { recursive: true });
    await expectReported(root, 'ENOENT', (reports) =>
      expect(reports.at(-1)).toMatch(/^Watching libs and web\./),
    );
  });

  test('a new file cannot be watched', async () => {
    const root = watchedRoot();
    // On Linux, watching a symbolic link to itself fails. Node.js tries again with each change in its folder, so the same failure comes twice.
    await expectReported(root, 'ELOOP', () => {
      symlinkSync('self', join(root, 'apps', 'self'));
      writeFileSync(join(root, 'apps', 'README.md'), '');
    });
  });
});

test('after a change that affects no process, the report is that no process needs a restart', async () => {
  const root = watchedRoot();
  await whileWatching(root, async (reports) => {
    writeFileSync(join(root, 'apps', 'README.md'), '');
    await eventually(() =>
      expect(reports.slice(1)).toEqual(['Changed: apps/README.md', 'No process needs a restart.']),
    );
  });
});
