// Runs the built site with demo content in a temporary folder, for tests and tools.
import './register-swc.mjs';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** Creates a temporary data folder that the cleanups remove. */
export async function temporaryData(cleanups) {
  const { removeHome } = await import('../embedded/home.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-services-test-'));
  cleanups.push(() => removeHome(dataDir));
  return dataDir;
}

/** PATH with the folder of a Redis in front: the machine's or this checkout's. */
export async function pathWithRedis(path) {
  const { embeddedHome } = await import('../embedded/home.ts');
  const { findRedis } = await import('../embedded/redis-binary.ts');
  const program = await findRedis(embeddedHome(join(root, '.data')).folder);
  return `${dirname(program)}${delimiter}${path}`;
}

/** Starts the site, and returns the path of its stack.json. */
export async function startDemoSite(cleanups) {
  const { startStack } = await import('../../dist/dev/stack/start-stack.js');
  const dataDir = await temporaryData(cleanups);
  process.env.PATH = await pathWithRedis(process.env.PATH);
  const env = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery', SEED: 'demo' };
  const stack = await startStack({ dataDir, env, quiet: true });
  cleanups.push(() => stack.stop());
  return join(dataDir, 'stack.json');
}

/** Builds and starts the site, runs `work` with the content of its stack.json, and stops the site even if `work` fails. */
export async function withDemoSite(progress, work) {
  const { build } = await import('../commands/build.mjs');
  await build(progress);
  const cleanups = [];
  try {
    let file;
    await progress.step('The site', async () => {
      file = await startDemoSite(cleanups);
    });
    return await work(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
