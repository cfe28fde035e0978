// Fails if there are circular imports between files, or between two folders of a service.
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config from '../../dependency-cruiser.config.mjs';
import { root } from '../tools/root.mjs';

process.chdir(root);
const { forbidden, options } = config;
const { output } = await cruise(
  ['apps', 'libs', 'web', 'dev', 'bench'],
  { ...options, ruleSet: { forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig(options.tsConfig.fileName) },
);

const complaints = [
  ...output.summary.violations.map(({ from, cycle }) =>
    ['Files import each other:', from, ...cycle.map(({ name }) => name)].join('\n  '),
  ),
  ...[...folderPairs(output.modules)].map(([pair, imports]) =>
    [`Two folders import each other (${pair}). Move what both need to where it belongs:`, ...imports].join(
      '\n  ',
    ),
  ),
];
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

/** Each pair of folders of a service that import each other, with the imports in the direction that has fewer. */
function folderPairs(modules) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    const from = folderOf(source);
    if (!from) continue;
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved);
      if (!to || to.service !== from.service || to.folder === from.folder) continue;
      const key = `${from.service}: ${from.folder} → ${to.folder}`;
      imports.set(key, [...(imports.get(key) ?? []), `${source} → ${resolved}`]);
    }
  }
  const pairs = new Map();
  for (const [key, there] of imports) {
    const [service, from, to] = key.split(/: | → /);
    const back = imports.get(`${service}: ${to} → ${from}`);
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
