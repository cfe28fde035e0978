import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { rolldown } from 'rolldown';
import { root } from './root.mjs';

const services = ['content', 'orders', 'projects', 'messaging', 'identity'];

/** Native, or load files from their own folders. */
const externalPackages = /^(@node-rs\/|@hyzyla\/pdfium$|sharp$)/;

const dist = (...path) => join(root, 'dist', ...path);
const programPath = (app, program) => dist('apps', app, `${program}.js`);

/**
 * Bundles each program with its packages into a few files. Unbundled, each process reads 1 500 small files and takes twice as long to start. The code
 * is neither minified nor renamed.
 */
export async function bundlePrograms() {
  // The external packages that the programs import. A container image needs them in addition to the bundles.
  const packages = new Set();
  // Specs and a running site may start a program at any time, so the old folders stay until the new ones are complete.
  const programsFolder = dist('bundle.next');
  const rendererFolder = dist('web', 'renderer.next');
  await bundle(programsFolder, packages, {
    ...Object.fromEntries(['gateway', ...services].map((name) => [name, programPath(name, 'main')])),
    ...Object.fromEntries(services.map((name) => [`migrate-${name}`, programPath(name, 'migrate')])),
    // The gateway starts this as a child process, and looks for it next to its own file.
    'image-child': programPath('gateway', join('images', 'image-child')),
    // A thread of the orders service.
    'invoice-renderer': programPath('orders', join('invoice-file', 'invoice-renderer')),
    // A child process of the projects service.
    'preview-child': programPath('projects', join('file', 'preview-child')),
    // A thread of the projects service, for each received mail.
    'mail-reader': programPath('projects', join('inbound-mail', 'mail-reader')),
    admin: programPath('identity', 'admin-cli'),
  });
  const previewFolder = dist('web', 'server', 'preview');
  await bundle(rendererFolder, packages, {
    main: dist('web', 'server', 'main.js'),
    'drawing-child': join(previewFolder, 'drawing-child.js'),
  });
  for (const font of readdirSync(previewFolder).filter((file) => file.endsWith('.ttf')))
    cpSync(join(previewFolder, font), join(rendererFolder, font));
  // The renderer of invoices looks for these next to its own file.
  cpSync(join(root, 'apps', 'orders', 'invoice-file', 'fonts'), join(programsFolder, 'fonts'), {
    recursive: true,
  });
  const profile = join('data', 'sRGB_IEC61966_2_1.icc');
  cpSync(join(root, 'node_modules', 'pdfkit', 'js', profile), join(programsFolder, profile));
  writeFileSync(join(programsFolder, 'scalar.js'), await scalarScript());
  writeFileSync(join(programsFolder, 'packages.json'), `${JSON.stringify([...packages].sort())}\n`);
  replaceFolder(dist('bundle'), programsFolder);
  replaceFolder(dist('web', 'renderer'), rendererFolder);
}

function replaceFolder(folder, replacement) {
  rmSync(folder, { recursive: true, force: true });
  renameSync(replacement, folder);
}

/** Extracted from Scalar's Fastify plugin, because the package that has the script as a file needs 240 MB more. */
async function scalarScript() {
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200)
    throw new Error(`Scalar's plugin answered the request for its script with ${statusCode}.`);
  return body;
}

async function bundle(dir, packages, input) {
  rmSync(dir, { recursive: true, force: true });
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    plugins: [stubTypeormCompat, externalize(packages)],
    // A program then evaluates only the contracts that it uses, which shortens its start by a fifth. A module below libs/ that is imported only for
    // its side effects would be left out.
    treeshake: { moduleSideEffects: [{ test: /\/dist\/libs\//, sideEffects: false }] },
  });
  // Nest and TypeORM depend on class names.
  await build.write({
    dir,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    strictExecutionOrder: true,
  });
  await build.close();
}

/**
 * Nest looks up two classes of older TypeORM versions with a `require` at run time, which no bundler sees. Every process would then load TypeORM's
 * 295 files in addition to the bundled copy. Nothing here uses these classes.
 */
const stubTypeormCompat = {
  name: 'stub-typeorm-compat',
  load(id) {
    if (!id.endsWith(join('@nestjs', 'typeorm', 'dist', 'common', 'typeorm-compat.js'))) return null;
    return 'export const Connection = undefined;\nexport const AbstractRepository = undefined;\n';
  },
};

/** Collects the installed external packages in `packages`. A package that is not installed is optional, and stays external too. */
function externalize(packages) {
  return {
    name: 'externalize',
    async resolveId(source, importer, options) {
      if (/^[./#]|^node:/.test(source) || builtinModules.includes(source)) return null;
      if (externalPackages.test(source)) {
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
