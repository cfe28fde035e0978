// `node docker/runtime.mjs <folder>`, after a build, copies the files for the image to the folder: package.json, the bundles of the gateway and the
// services, the built web application for browser and server, and the packages that a bundle cannot contain, with their dependencies.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const target = process.argv[2];
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

for (const part of ['bundle', 'web/client', 'web/ssr', 'web/renderer']) copy(join('dist', part));
copy('package.json');
for (const path of packageFolders(readJson('dist/bundle/packages.json'))) copy(path);
rmSync(join(target, 'dist/bundle/packages.json'));

function copy(path) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  // The image needs no types, source maps, sources of native code or Markdown files.
  const filter = (file) => !/\.(d\.[cm]?ts|map|md|cc|h)$/.test(file);
  cpSync(path, join(target, path), { recursive: true, filter });
}

/** The folders of these packages and of all their dependencies that are installed. */
function packageFolders(names) {
  const { packages } = readJson('package-lock.json');
  const found = new Set();
  const visit = (name, from) => {
    // Like Node: first in the importing package, then in the folders above it.
    for (let place = from; ; place = place.slice(0, place.lastIndexOf('node_modules/'))) {
      const path = `${place}${place && !place.endsWith('/') ? '/' : ''}node_modules/${name}`;
      if (packages[path] && existsSync(path)) {
        if (found.has(path)) return;
        found.add(path);
        const { dependencies = {}, optionalDependencies = {} } = packages[path];
        for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, path);
        return;
      }
      if (place === '') return;
    }
  };
  for (const name of names) visit(name, '');
  return found;
}
