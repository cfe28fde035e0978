// The built site with its demo content in a folder of its own, for tests and for tools that look at it.
import './register-swc.mjs';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** A data folder that is gone after the cleanups. */
export async function temporaryData(cleanups) {
  const { removeHome } = await import('../embedded/home.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-services-test-'));
  cleanups.push(() => removeHome(dataDir));
  return dataDir;
}

/** The Redis of the machine or of this checkout, for whatever is started. */
export async function pathWithRedis(path) {
  const { embeddedHome } = await import('../embedded/home.ts');
  const { findRedis } = await import('../embedded/redis-binary.ts');
  const program = await findRedis(embeddedHome(join(root, '.data')).folder);
  return `${dirname(program)}${delimiter}${path}`;
}

/** Starts it, and gives the path of its stack.json. */
export async function startDemoSite(cleanups) {
  const { startStack } = await import('../../dist/dev/stack/start-stack.js');
  const dataDir = await temporaryData(cleanups);
  process.env.PATH = await pathWithRedis(process.env.PATH);
  const env = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery', SEED: 'demo' };
  const stack = await startStack({ dataDir, env, quiet: true });
  cleanups.push(() => stack.stop());
  return join(dataDir, 'stack.json');
}

/** Builds and starts it for a tool, and takes it down whatever becomes of the work. */
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
