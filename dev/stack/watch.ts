import { watch } from 'node:fs';
import { join, sep } from 'node:path';
import { type ProcessName, processNames } from './settings.js';
import type { Stack } from './stack.js';

/** A build starts when no file has changed for this long. Changes during a build are built after that build and its restarts. */
const quietMs = 150;
const watchedFolders = ['apps', 'libs', 'web'];

/**
 * Builds changed sources and restarts the affected processes. After a failed build nothing is restarted; the next successful build also restarts what
 * the earlier changes affect.
 */
export function watchSources(
  root: string,
  stack: Pick<Stack, 'replaceProcesses'>,
  rebuild: () => Promise<unknown>,
  report: (text: string) => void,
): { close(): void } {
  let changed = new Set<string>();
  let unapplied: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let working = false;

  const work = async () => {
    if (working) return;
    working = true;
    while (changed.size > 0) {
      const files = [...changed];
      changed = new Set();
      report(
        `Changed: ${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`,
      );
      try {
        await rebuild();
        const names = affectedProcesses([...unapplied, ...files]);
        await stack.replaceProcesses(names);
        unapplied = [];
        report(names.length > 0 ? `Restarted: ${names.join(', ')}` : 'No process needs a restart.');
      } catch (error) {
        unapplied.push(...files);
        report((error as Error).message);
      }
    }
    working = false;
  };

  const failures = new Set<string>();
  const reportFailure = (folder: string, { message }: Error) => {
    const failure = `! Some changes in ${folder} will not be noticed: ${message}. Fix this, and run npm run dev again.`;
    if (!failures.has(failure)) report(failure);
    failures.add(failure);
  };
  const watchers = watchedFolders.flatMap((folder) => {
    try {
      const watcher = watch(join(root, folder), { recursive: true }, (_event, name) => {
        if (!name || !isSource(name)) return;
        changed.add(`${folder}/${name.split(sep).join('/')}`);
        clearTimeout(timer);
        timer = setTimeout(() => void work(), quietMs);
      });
      watcher.on('error', (error) => reportFailure(folder, error));
      return [{ folder, watcher }];
    } catch (error) {
      reportFailure(folder, error as Error);
      return [];
    }
  });
  const watched = new Intl.ListFormat('en-GB').format(watchers.map(({ folder }) => folder));
  if (watched) report(`Watching ${watched}. Changes are built, and the affected processes restarted.`);
  return {
    close: () => {
      clearTimeout(timer);
      for (const { watcher } of watchers) watcher.close();
    },
  };
}

/** Excludes specs, Vim's swap files (such as `.swp`), and names without an extension, such as those of folders. */
function isSource(name: string): boolean {
  return /\.\w+$/.test(name) && !/\.spec\.tsx?$|\.sw\w$/.test(name);
}

/** A file below `libs` affects every process. Any other file affects the process that it belongs to; if that is `web`, also the gateway. */
export function affectedProcesses(files: string[]): ProcessName[] {
  const names = new Set<ProcessName>();
  for (const file of files) {
    const [top, second] = file.split('/');
    if (top === 'libs') return [...processNames];
    const name = top === 'web' ? 'web' : second;
    // The gateway caches pages that `web` has rendered.
    if (name === 'web') names.add('gateway');
    for (const known of processNames) if (known === name) names.add(known);
  }
  return [...names];
}
