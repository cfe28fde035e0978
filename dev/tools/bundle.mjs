import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { rolldown } from 'rolldown';
import { root } from './root.mjs';

const services = ['content', 'orders', 'messaging', 'identity', 'gateway'];
const withDatabase = services.filter((name) => name !== 'gateway');

/** Their code finds files beside itself, or is native. */
const packagesLeftOut = /^(@node-rs\/|sharp$)/;

const dist = (...path) => join(root, 'dist', ...path);
const compiled = (name, program) => dist('apps', name, `${program}.js`);

/**
 * Each program with its packages in a few files: dist/bundle/<service>.js, dist/web/renderer/main.js. Six processes that each read
 * 1 500 small files took twice as long to start. The same code as in dist/apps, neither minified nor renamed.
 */
export async function bundlePrograms() {
  const packages = new Set();
  await bundle(dist('bundle'), packages, {
    ...Object.fromEntries(services.map((name) => [name, compiled(name, 'main')])),
    ...Object.fromEntries(withDatabase.map((name) => [`migrate-${name}`, compiled(name, 'migrate')])),
    // The gateway starts it as a process of its own, and looks for it beside itself.
    'image-child': compiled('gateway', join('images', 'image-child')),
    admin: compiled('identity', 'admin-cli'),
  });
  const preview = dist('web', 'server', 'preview');
  await bundle(dist('web', 'renderer'), packages, {
    main: dist('web', 'server', 'main.js'),
    'drawing-child': join(preview, 'drawing-child.js'),
  });
  for (const font of readdirSync(preview).filter((file) => file.endsWith('.ttf')))
    cpSync(join(preview, font), dist('web', 'renderer', font));
  writeFileSync(dist('bundle', 'scalar.js'), await scalarScript());
  // What an image has to hold beside the bundles.
  writeFileSync(dist('bundle', 'packages.json'), `${JSON.stringify([...packages].sort())}\n`);
}

/** The script of the API reference. Scalar publishes it within its Fastify plugin; the package that has it as a file needs 240 MB more. */
async function scalarScript() {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`Scalar's plugin answered its script with ${statusCode}.`);
  return body;
}

async function bundle(dir, packages, input) {
  rmSync(dir, { recursive: true, force: true });
  const made = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    plugins: [oneTypeorm, leaveOut(packages)],
  });
  // Nest and TypeORM go by the names of classes.
  await made.write({
    dir,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    strictExecutionOrder: true,
  });
  await made.close();
}

/**
 * Nest looks in TypeORM for two classes of versions past, by a `require` at run time that no bundler sees: where the package is installed,
 * every process would read its 295 files beside the copy it has. Nothing here uses either class.
 */
const oneTypeorm = {
  name: 'one-typeorm',
  load(id) {
    if (!id.endsWith(join('@nestjs', 'typeorm', 'dist', 'common', 'typeorm-compat.js'))) return null;
    return 'export const Connection = undefined;\nexport const AbstractRepository = undefined;\n';
  },
};

/** Native code stays in its package; packages that are not installed are optional ones, asked for and done without. */
function leaveOut(packages) {
  return {
    name: 'leave-out',
    async resolveId(source, importer, options) {
      if (/^[./#]|^node:/.test(source) || builtinModules.includes(source)) return null;
      if (packagesLeftOut.test(source)) {
        if (existsSync(join(root, 'node_modules', source))) packages.add(source);
        return { id: source, external: true };
      }
      return (
        (await this.resolve(source, importer, { ...options, skipSelf: true })) ?? {
          id: source,
          external: true,
        }
      );
    },
  };
}
