// Fails if there are circular imports between TypeScript files, or between folders of one process in `apps/`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tools/root.mjs';

const imports = readImports(['apps', 'libs', 'web', 'dev', 'bench']);
const folderImports = importsBetweenFolders();
const complaints = [
  ...cycles(imports).map((files) => ['Files import each other:', ...files]),
  ...cycles(folderImports).map((folders) => [
    `Folders import each other: ${folders.join(' → ')}. Move what is imported by several of them to a folder of its own. The imports are:`,
    ...folders.slice(1).map((to, at) => sampleOf(folderImports.get(folders[at]).get(to))),
  ]),
];
if (complaints.length > 0) {
  console.error(complaints.map((lines) => lines.join('\n  ')).join('\n'));
  process.exitCode = 1;
}

function readImports(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|(^|\/)node_modules\//.test(file))
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
      return [source, new Set(names.flatMap(([, name]) => resolve(source, name) ?? []))];
    }),
  );
}

/** Returns the import cycles, of any length, that a depth-first search meets. `graph` maps each file or folder to its imports. */
function cycles(graph) {
  const found = [];
  const done = new Set();
  const chain = [];
  const visit = (node) => {
    if (chain.includes(node)) return void found.push([...chain.slice(chain.indexOf(node)), node]);
    if (done.has(node)) return;
    chain.push(node);
    for (const target of graph.get(node)?.keys() ?? []) visit(target);
    done.add(chain.pop());
  };
  for (const node of graph.keys()) visit(node);
  return found;
}

function importsBetweenFolders() {
  const between = new Map();
  for (const [source, targets] of imports) {
    const from = folderOf(source);
    for (const target of targets.keys()) {
      const to = folderOf(target);
      if (!from || !to || to === from || dirname(to) !== dirname(from)) continue;
      const importsByTarget = between.get(from) ?? new Map();
      between.set(
        from,
        importsByTarget.set(to, [...(importsByTarget.get(to) ?? []), `${source} → ${target}`]),
      );
    }
  }
  return between;
}

function sampleOf([first, ...others]) {
  return others.length > 0 ? `${first} (and ${others.length} more)` : first;
}

/**
 * `apps/orders/payment` for `apps/orders/payment/paypal/x.ts`. Undefined for files outside such a folder, and for tests, which may import from any
 * folder of their process.
 */
function folderOf(path) {
  if (/\.spec\.tsx?$/.test(path)) return undefined;
  const [, folder] = /^(apps\/[\w-]+\/(?!test\/)[\w-]+)\//.exec(path) ?? [];
  return folder;
}
