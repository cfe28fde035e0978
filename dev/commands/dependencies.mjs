// Fails if two folders of a service import each other. Files that do fail lint (`import/no-cycle`).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tools/root.mjs';

const complaints = [...folderPairs()].map(([pair, imports]) =>
  [`Two folders import each other (${pair}). Move what both need to where it belongs:`, ...imports].join(
    '\n  ',
  ),
);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

/** Each pair of folders of a service that import each other, with the imports in the direction that has fewer. */
function folderPairs() {
  const imports = new Map();
  for (const { source, target } of relativeImports('apps')) {
    const [from, to] = [folderOf(source), folderOf(target)];
    if (!from || !to || to.service !== from.service || to.folder === from.folder) continue;
    const key = `${from.service}: ${from.folder} → ${to.folder}`;
    imports.set(key, [...(imports.get(key) ?? []), `${source} → ${target}`]);
  }
  const pairs = new Map();
  for (const [key, there] of imports) {
    const [service, from, to] = key.split(/: | → /);
    const back = imports.get(`${service}: ${to} → ${from}`);
    if (back && from < to) pairs.set(`${service}: ${from}, ${to}`, there.length < back.length ? there : back);
  }
  return pairs;
}

function* relativeImports(folder) {
  for (const file of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.tsx?$/.test(file)) continue;
    const source = join(folder, file);
    for (const [, path] of readFileSync(join(root, source), 'utf8').matchAll(
      /\b(?:from|import\(?) ?'(\.[^']+)'/g,
    ))
      yield { source, target: join(dirname(source), path) };
  }
}

/** `apps/orders/payment/paypal/x.ts` is in the folder `payment` of the service `orders`. Tests may import anything from their service. */
function folderOf(path) {
  if (/\.spec\.tsx?$/.test(path)) return undefined;
  const [, service, folder] = /^apps\/([\w-]+)\/([\w-]+)\//.exec(path) ?? [];
  return service && folder !== 'test' ? { service, folder } : undefined;
}
