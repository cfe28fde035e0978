import { aboutEditShell, openShells } from '#libs/contracts';
import { adminScreens, describeAdmin } from './admin-routes.js';
import * as meta from './meta.js';
import { orderScreens } from './order-routes.js';
import { isRecordId } from '../lib/record-id.js';
import type { Page } from './page.js';

/** Screens that are finished; the remaining shells say that they are not built yet. */
const built: readonly Page[] = [
  ...adminScreens,
  ...orderScreens,
  {
    paths: ['/login'],
    module: 'session/login',
    load: () => import('../features/session/login.route.js'),
    describe: meta.describeScreen('Login'),
  },
  {
    paths: ['/register'],
    module: 'session/register',
    load: () => import('../features/session/register.route.js'),
    describe: meta.describeScreen('Register'),
  },
];

const builtPaths = new Set(built.flatMap(({ paths }) => paths));
const unbuilt = (paths: readonly string[]) => paths.filter((path) => !builtPaths.has(path));

const reserved: readonly Page[] = [
  {
    paths: unbuilt(openShells),
    module: 'account/open-unbuilt',
    load: () => import('../features/account/open-unbuilt.route.js'),
    describe: meta.describeScreen('Not built yet'),
  },
];

const isRecordPath = (path: string) => isRecordId(path.split('/')[1]);

/** The catch-all of one segment: a record's id opens About's edit screen, anything else is no page. */
const aboutEdit: Page = {
  paths: [aboutEditShell],
  load: () => import('./AboutEdit.js'),
  describe: (data, path) =>
    isRecordPath(path) ? describeAdmin(data, '/about') : meta.describeNotFound(data),
  status: (path) => (isRecordPath(path) ? 200 : 404),
};

/** Screens that are shells until the browser has loaded their data. */
export const privateScreens: readonly Page[] = [...built, ...reserved, aboutEdit];
