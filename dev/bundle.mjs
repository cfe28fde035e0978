import { rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './root.mjs';

const services = ['content', 'orders', 'messaging', 'identity', 'gateway'];

/**
 * Each service with its packages in a few files, dist/bundle/<service>.js. Six processes that each read 1 500 small
 * files took twice as long to start. The same code as in dist/apps, neither minified nor renamed.
 */
export async function bundleServices() {
  const folder = join(root, 'dist', 'bundle');
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(services.map((name) => [name, join(root, 'dist', 'apps', name, 'main.js')])),
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    plugins: [leaveOut()],
  });
  // Nest and TypeORM go by the names of classes.
  await bundle.write({ dir: folder, format: 'esm', keepNames: true, entryFileNames: '[name].js' });
  await bundle.close();
}

/** Native code stays in its package; packages that are not installed are optional ones, asked for and done without. */
function leaveOut() {
  return {
    name: 'leave-out',
    async resolveId(source, importer, options) {
      if (/^[./#]|^node:/.test(source) || builtinModules.includes(source)) return null;
      if (source.startsWith('@node-rs/')) return { id: source, external: true };
      return (
        (await this.resolve(source, importer, { ...options, skipSelf: true })) ?? {
          id: source,
          external: true,
        }
      );
    },
  };
}
