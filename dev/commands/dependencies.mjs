// Fails if there are circular imports between files, or between two folders of a service.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tools/root.mjs';

const imports = readImports(['apps', 'libs', 'web', 'dev', 'bench']);
const complaints = [
  ...cycles().map((files) => ['Files import each other:', ...files].join('\n  ')),
  ...[...folderPairs()].map(([pair, between]) =>
    [`Two folders import each other (${pair}). Move what both need to where it belongs:`, ...between].join(
      '\n  ',
    ),
  ),
];
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

/** The files that each file imports, types included. */
function readImports(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  const known = new Set(files);
  const resolve = (source, name) => {
    const [, library] = /^#libs\/(.+)$/.exec(name) ?? [];
    if (library) return join('libs', library, 'src', 'index.ts');
    const path = join(dirname(source), name);
    return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((file) =>
      known.has(file),
    );
  };
  return new Map(
    files.map((source) => {
      const text = readFileSync(join(root, source), 'utf8');
      const names = [...text.matchAll(/\b(?:from|import\(?)\s*'((?:\.|#libs\/)[^']+)'/g)];
      return [source, names.flatMap(([, name]) => resolve(source, name) ?? [])];
    }),
  );
}

/** The import cycles: one for each import that leads back to a file of the chain of imports that is being followed. */
function cycles() {
  const found = [];
  const done = new Set();
  const chain = [];
  const visit = (file) => {
    if (chain.includes(file)) return void found.push([...chain.slice(chain.indexOf(file)), file]);
    if (done.has(file)) return;
    chain.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    done.add(chain.pop());
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

/** Each pair of folders of a service that import each other, with the imports in the direction that has fewer. */
function folderPairs() {
  const between = new Map();
  for (const [source, targets] of imports) {
    const from = folderOf(source);
    if (!from) continue;
    for (const target of targets) {
      const to = folderOf(target);
      if (!to || to.service !== from.service || to.folder === from.folder) continue;
      const key = `${from.service}: ${from.folder} → ${to.folder}`;
      between.set(key, [...(between.get(key) ?? []), `${source} → ${target}`]);
    }
  }
  const pairs = new Map();
  for (const [key, there] of between) {
    const [service, from, to] = key.split(/: | → /);
    const back = between.get(`${service}: ${to} → ${from}`);
    if (back && from < to) pairs.set(`${service}: ${from}, ${to}`, there.length < back.length ? there : back);
  }
  return pairs;
}

/** `apps/orders/payment/paypal/x.ts` is in the folder `payment` of the service `orders`. Tests may import anything from their service. */
function folderOf(path) {
  if (/\.spec\.tsx?$/.test(path)) return undefined;
  const [, service, folder] = /^apps\/([\w-]+)\/([\w-]+)\//.exec(path) ?? [];
  return service && folder !== 'test' ? { service, folder } : undefined;
}
