// Runs the built site with demo content in a temporary folder.
import './register-swc.mjs';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** Adds a cleanup that deletes the folder. */
export async function createDataFolder(cleanups) {
  const { removeDataFolder } = await import('../embedded/home.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-services-test-'));
  cleanups.push(() => removeDataFolder(dataDir));
  return dataDir;
}

/** Puts the folder of Redis (this machine's or this checkout's) before `path`, so that a site in a temporary folder does not download one. */
export async function pathWithRedis(path) {
  const { prepareHome } = await import('../embedded/home.ts');
  const { ensureRedis } = await import('../embedded/redis-binary.ts');
  const program = await ensureRedis(prepareHome(join(root, '.data')).folder);
  return `${dirname(program)}${delimiter}${path}`;
}

/** Returns the path of the site's stack.json. */
export async function startDemoSite(cleanups) {
  const { startStack } = await import('../../dist/dev/stack/start-stack.js');
  const dataDir = await createDataFolder(cleanups);
  process.env.PATH = await pathWithRedis(process.env.PATH);
  const env = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery', SEED: 'demo' };
  const stack = await startStack({ dataDir, env, quiet: true });
  cleanups.push(() => stack.stop());
  return join(dataDir, 'stack.json');
}

/** Builds and starts the site, and passes `work` the content of its stack.json. Stops the site even if `work` fails. */
export async function withDemoSite(progress, work) {
  const { build } = await import('../commands/build.mjs');
  await build(progress);
  const cleanups = [];
  try {
    let stackFile;
    await progress.step('The site', async () => {
      stackFile = await startDemoSite(cleanups);
    });
    return await work(JSON.parse(readFileSync(stackFile, 'utf8')));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
