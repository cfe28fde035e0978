import { aboutEditShell, type PublicPage, publicPages, shellPaths } from '#libs/contracts';
import { PathTable } from './path-table.js';

/** A page (`public`) or a screen (`shell`). A screen that is open to everyone is rendered; any other is answered with its shell. */
export type PageTarget = { kind: 'public'; page: PublicPage } | { kind: 'shell'; pattern: string };

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const table = new PathTable<PageTarget>();
for (const page of publicPages) table.declare(page.path, () => ({ kind: 'public', page }));
for (const pattern of shellPaths) table.declare(pattern, () => ({ kind: 'shell', pattern }));
/** The target of `/:id`, which matches every path of one segment that no other pattern matches. */
const catchAll = table.match(aboutEditShell)!.value;

/** Where only `/:id` matches, the id must be a UUID. */
export function findPage(path: string): PageTarget | undefined {
  const found = table.match(path);
  if (found?.value === catchAll && !uuid.test(found.parameters[0]!)) return undefined;
  return found?.value;
}

/** Whether the path ends with the slash of its page's canonical address. If `Accept` does not decide, `/service/` is the page, `/service` the API. */
export function hasPageSlash(path: string, target: PageTarget | undefined): boolean {
  return path.endsWith('/') && target?.kind === 'public' && target.page.canonical.endsWith('/');
}
