import { dirname, relative, resolve } from 'node:path';

/**
 * Which folders and packages (Node's own modules included) each folder may import. A folder without an entry may import no other folder, so a new
 * one needs an entry. Without a list of packages, all packages are allowed.
 */
const importRules = {
  'libs/contracts': { folders: [], packages: ['zod'] },
  'libs/runtime': { folders: [], packages: [] },
  'libs/content-model': { folders: ['libs/contracts'], packages: ['zod'] },
  'libs/operations': { folders: ['libs/contracts', 'libs/content-model'], packages: ['zod'] },
  'libs/transport': { folders: ['libs/contracts', 'libs/runtime'] },
  'libs/database': { folders: ['libs/contracts', 'libs/runtime', 'libs/transport'] },
  'libs/platform': { folders: ['libs/contracts', 'libs/runtime', 'libs/transport', 'libs/database'] },
  'libs/file-storage': { folders: ['libs/platform'] },
  'libs/testing': { folders: ['libs/*', 'dev'] },
  'apps/*': { folders: ['libs/*'] },
  web: { folders: ['libs/contracts', 'libs/content-model', 'libs/operations'] },
  'web/server': { folders: ['libs/contracts', 'libs/content-model', 'libs/platform', 'web'] },
  dev: { folders: ['libs/*'] },
  bench: { folders: ['libs/*', 'dev'] },
};

/** Folders that tests may also import, because they start real services, databases and stand-ins. Tests may import all packages. */
const foldersForTests = ['libs/testing', 'dev', 'apps/*'];
const isTest = (file) => /\.spec\.tsx?$|\/(test|e2e)\//.test(file);

/** `libs/transport/src/rpc-client.ts` → `libs/transport`; `web/server/main.ts` → `web/server`; `web/src/…` → `web`. */
function folderOf(path) {
  const [top, second] = path.split('/');
  if (top === 'libs' || top === 'apps') return `${top}/${second}`;
  if (top === 'web' && second === 'server') return 'web/server';
  return top;
}

/** The layer of a file in `web/src`, such as `components`; for a file of a feature, that feature, such as `features/pricing`. */
function layerOf(path) {
  const match = /^web\/src\/(features\/[^/]+|[^/]+)\//.exec(path);
  return match?.[1];
}

const mayUse = (list, folder) =>
  list.some((entry) => entry === folder || entry === `${folder.split('/')[0]}/*`);

function targetOf(source, file, root) {
  if (source.startsWith('#libs/')) return `libs/${source.slice('#libs/'.length)}`;
  if (source.startsWith('.')) return relative(root, resolve(dirname(file), source));
  return undefined;
}

function packageNameOf(source) {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Layers of `web/src` from the top down (`features` covers every feature); each may import the layers after it. */
const layers = ['app', 'features', 'workspace', 'components', 'lib'];
const rankOf = (layer) => layers.indexOf(layer.split('/')[0]);

/** Why this import is not allowed; undefined if it is allowed. */
function complaint(source, file, root) {
  const from = relative(root, file);
  const folder = folderOf(from);
  const rule = importRules[folder] ?? (folder.startsWith('apps/') ? importRules['apps/*'] : { folders: [] });
  const target = targetOf(source, file, root);
  if (target === undefined) {
    const allowed =
      rule.packages === undefined || isTest(from) || rule.packages.includes(packageNameOf(source));
    return allowed
      ? undefined
      : `${folder} may import ${rule.packages.length > 0 ? `only these packages: ${rule.packages.join(', ')}` : 'no packages'}.`;
  }
  const targetFolder = folderOf(target);
  if (
    targetFolder !== folder &&
    !mayUse(rule.folders, targetFolder) &&
    !(isTest(from) && mayUse(foldersForTests, targetFolder))
  ) {
    return `${folder} may not import ${targetFolder}. Move the shared code to a library that both may import.`;
  }
  if (targetFolder !== folder && targetFolder.startsWith('libs/') && !source.startsWith('#libs/')) {
    return `Import a library by its name: '#libs/${targetFolder.slice('libs/'.length)}'.`;
  }
  const [layer, targetLayer] = [layerOf(from), layerOf(target)];
  if (layer && targetLayer && layer !== targetLayer) {
    if (layer.startsWith('features/') && targetLayer.startsWith('features/')) {
      return 'A feature may not import another feature: move what they share to workspace/ (for screens behind the sign-in) or components/.';
    }
    if (rankOf(layer) > rankOf(targetLayer) && rankOf(targetLayer) >= 0) {
      return `web/src/${layer} is below ${targetLayer}: imports go ${layers.join(' → ')}.`;
    }
  }
  return undefined;
}

/** Rule: imports follow “Where a line of code belongs” in docs/architecture.md. */
const boundaries = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    function check(node) {
      if (!node.source || typeof node.source.value !== 'string') return;
      const message = complaint(node.source.value, context.filename, context.cwd);
      if (message) context.report({ node: node.source, message });
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: 'house' }, rules: { boundaries } };
