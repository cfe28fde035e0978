// `npm run build` builds the parts of dist/ whose sources have changed. With `--force`, it builds all of them.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filesBelow, fingerprint, readIfExists } from '../tools/fingerprint.mjs';
import { Progress } from '../tools/progress.mjs';
import { root } from '../tools/root.mjs';
import { runTool } from '../tools/tool.mjs';

const serverFolders = ['apps', 'libs', 'dev', 'bench', 'web/server'];
const configFiles = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json'];
const isLeftOut = (file) => /\.spec\.tsx?$|\/(test|e2e)\/|^dev\/lighthouse\//.test(file);
const node = process.execPath;
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const viteConfig = 'web/vite.config.ts';

const parts = {
  server: {
    sources: () => filesBelow(root, [...serverFolders, ...configFiles]).filter((file) => !isLeftOut(file)),
    build: buildServer,
  },
  web: {
    sources: () =>
      filesBelow(root, ['web', 'libs/contracts', 'libs/content-model', ...configFiles]).filter(
        (file) => !isLeftOut(file) && !file.startsWith('web/server/'),
      ),
    build: buildWeb,
  },
};

/** Builds the parts in `only` whose sources have changed; with `force`, all of them. Returns the names of the parts that were built. */
export async function build(progress, { force = false, only = Object.keys(parts) } = {}) {
  const stale = staleParts(only, force);
  if (stale.length === 0) return [];
  // Two builds at the same time would delete each other's output, so the second one waits. After that it usually has nothing to do.
  const release = await acquireLock(join(root, 'dist', '.building'), () =>
    progress.printLine('Waiting for another build to finish.'),
  );
  try {
    return await buildParts(progress, staleParts(only, force));
  } finally {
    release();
  }
}

function staleParts(names, force) {
  return names
    .map((name) => ({ name, part: parts[name], stamp: fingerprint(root, parts[name].sources()) }))
    .filter(({ name, stamp }) => force || readIfExists(stampFile(name)) !== stamp);
}

/** Waits until no other process has the lock file, and creates it. Calls `onWait` once if it waits. Returns a function that removes the file. */
export async function acquireLock(lock, onWait) {
  let isWaiting = false;
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned(lock)) rmSync(lock, { force: true });
      else if (!isWaiting) {
        isWaiting = true;
        onWait();
      }
    }
    await wait(50);
    // Checked only after a pause, because another process that also found the abandoned lock may remove this new one.
    if (readIfExists(lock) === String(process.pid)) return () => rmSync(lock, { force: true });
  }
}

function isAbandoned(lock) {
  const holder = readIfExists(lock);
  const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  const ageMs = Date.now() - madeAt;
  // The lock was released a moment ago, is being written, or was created by a process that was killed before it wrote its id.
  if (!holder) return ageMs > 10_000;
  // No build takes this long, so a living process with this id is another one.
  return ageMs > 15 * 60_000 || !isAlive(Number(holder));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function buildParts(progress, stale) {
  if (stale.length === 0) return [];
  await progress.step(
    'Build',
    () =>
      Promise.all(
        stale.map(async ({ name, part, stamp }) => {
          await part.build();
          mkdirSync(dirname(stampFile(name)), { recursive: true });
          writeFileSync(stampFile(name), stamp);
        }),
      ).then(() => undefined),
    { announce: 'Building' },
  );
  return stale.map(({ name }) => name);
}

const stampFile = (name) => join(root, 'dist', `.built-${name}`);

async function buildServer() {
  await runTool('The compiler', node, [
    join(root, 'node_modules', 'tsgo', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
  ]);
  const sources = filesBelow(root, serverFolders).filter((file) => !isLeftOut(file));
  const kept = new Set();
  for (const file of sources) {
    if (/\.tsx?$/.test(file)) {
      const built = file.replace(/\.tsx?$/, '.js');
      kept.add(built).add(`${built}.map`);
    } else if (!/\.(md|mjs)$/.test(file)) {
      // Files that may be read at run time, such as templates.
      cpSync(join(root, file), join(root, 'dist', file));
      kept.add(file);
    }
  }
  for (const folder of serverFolders) removeStaleOutput(folder, kept);
  // The packages that `bundle.mjs` imports may not be installed when this file is loaded.
  const { bundlePrograms } = await import('../tools/bundle.mjs');
  await bundlePrograms();
}

/** Output of deleted sources could still be imported, or run as a migration. Paths are relative to dist/. */
function removeStaleOutput(folder, kept) {
  const folderPath = join(root, 'dist', folder);
  if (!existsSync(folderPath)) return;
  for (const entry of readdirSync(folderPath, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeStaleOutput(path, kept);
    else if (!kept.has(path)) rmSync(join(root, 'dist', path));
  }
  if (readdirSync(folderPath).length === 0) rmSync(folderPath, { recursive: true });
}

async function buildWeb() {
  const runVite = (...args) =>
    runTool('The web build', node, [vite, 'build', '-c', viteConfig, '--logLevel', 'warn', ...args]);
  await Promise.all([runVite(), runVite('--ssr')]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { install } = await import('../tools/install.mjs');
  const progress = new Progress();
  try {
    await install(progress);
    const built = await build(progress, { force: process.argv.includes('--force') });
    if (built.length === 0) progress.printLine('Nothing has changed since the last build.');
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
