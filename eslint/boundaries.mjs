import { dirname, relative, resolve } from 'node:path';

/**
 * Which rooms may import which. A room is a folder (`libs/<name>`, `apps/<name>`, `web`, `dev`, `bench`); what is not
 * listed is refused, so a new folder has to say where it stands. Packages are listed only where they are restricted.
 */
const rooms = {
  'libs/contracts': { rooms: [], packages: ['zod'] },
  'libs/runtime': { rooms: [], packages: [] },
  'libs/content-model': { rooms: ['libs/contracts'], packages: ['zod'] },
  'libs/operations': { rooms: ['libs/contracts', 'libs/content-model'], packages: ['zod'] },
  'libs/transport': { rooms: ['libs/contracts'] },
  'libs/database': { rooms: ['libs/contracts', 'libs/runtime', 'libs/transport'] },
  'libs/platform': { rooms: ['libs/contracts', 'libs/runtime', 'libs/transport', 'libs/database'] },
  'libs/image-storage': { rooms: ['libs/platform'] },
  'libs/testing': { rooms: ['libs/*', 'dev'] },
  'apps/*': { rooms: ['libs/*'] },
  web: { rooms: ['libs/contracts', 'libs/content-model', 'libs/operations'] },
  'web/server': { rooms: ['libs/contracts', 'libs/content-model', 'libs/platform', 'web'] },
  dev: { rooms: ['libs/*'] },
  bench: { rooms: ['libs/*', 'dev'] },
};

/** Tests start real processes and databases, and pages are tested with the demo content that the content service seeds. */
const testRooms = ['libs/testing', 'dev', 'apps/content'];
const isTest = (file) => /\.spec\.tsx?$|\/(test|e2e)\//.test(file);

/** `libs/transport/src/client.ts` → `libs/transport`; `web/server/main.ts` → `web/server`; `web/src/…` → `web`. */
function roomOf(path) {
  const [top, second] = path.split('/');
  if (top === 'libs' || top === 'apps') return `${top}/${second}`;
  if (top === 'web' && second === 'server') return 'web/server';
  return top;
}

/** Inside `web/src`, the folder a file belongs to: `features/pricing`, `components`, `lib`, `app`. */
function layerOf(path) {
  const match = /^web\/src\/(features\/[^/]+|[^/]+)\//.exec(path);
  return match?.[1];
}

const mayUse = (list, room) => list.some((entry) => entry === room || entry === `${room.split('/')[0]}/*`);

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

/** Layers of `web/src` from the top down, a feature standing for all; each may import those after it. */
const layers = ['app', 'features', 'workspace', 'components', 'lib'];
const rankOf = (layer) => layers.indexOf(layer.split('/')[0]);

/** What is wrong with this import, or undefined. */
function complaint(source, file, root) {
  const from = relative(root, file);
  const room = roomOf(from);
  const rule = rooms[room] ?? (room.startsWith('apps/') ? rooms['apps/*'] : undefined);
  if (!rule) return undefined;
  const target = targetOf(source, file, root);
  if (target === undefined) {
    const allowed =
      rule.packages === undefined || isTest(from) || rule.packages.includes(packageNameOf(source));
    return allowed
      ? undefined
      : `${room} may import only ${rule.packages.join(', ')}: it runs in the browser too.`;
  }
  const targetRoom = roomOf(target);
  if (
    targetRoom !== room &&
    !mayUse(rule.rooms, targetRoom) &&
    !(isTest(from) && mayUse(testRooms, targetRoom))
  ) {
    return `${room} may not import ${targetRoom}. What both need belongs in a library that each may import.`;
  }
  if (
    targetRoom !== room &&
    targetRoom.startsWith('libs/') &&
    !source.startsWith('#libs/') &&
    room !== 'libs/testing'
  ) {
    return `Import a library by its name: '#libs/${targetRoom.slice('libs/'.length)}'.`;
  }
  const [layer, targetLayer] = [layerOf(from), layerOf(target)];
  if (layer && targetLayer && layer !== targetLayer) {
    if (layer.startsWith('features/') && targetLayer.startsWith('features/')) {
      return 'A feature never imports another feature: lift what they share to workspace/ (screens behind a sign-in) or components/.';
    }
    if (rankOf(layer) > rankOf(targetLayer) && rankOf(targetLayer) >= 0) {
      return `web/src/${layer} is below ${targetLayer}: imports go ${layers.join(' → ')}.`;
    }
  }
  return undefined;
}

/** ESLint rule: imports follow the picture in docs/architecture.md. */
export const boundaries = {
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
