import { aboutEditShell } from '#libs/contracts';
import { adminScreens, describeAdmin } from './admin-routes.js';
import * as meta from './meta.js';
import { orderScreens } from './order-routes.js';
import { isRecordId } from '../lib/record-id.js';
import type { Page } from './page.js';

const screens: readonly Page[] = [
  ...adminScreens,
  ...orderScreens,
  {
    paths: ['/account/security'],
    module: 'security/security',
    load: () => import('../features/security/security.route.js'),
    describe: meta.describeScreen('Security'),
  },
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
  {
    paths: ['/verify-email'],
    module: 'account/verify-email',
    load: () => import('../features/account/verify-email.route.js'),
    describe: meta.describeScreen('Confirm your address'),
  },
  {
    paths: ['/reset'],
    module: 'account/reset',
    load: () => import('../features/account/reset.route.js'),
    describe: meta.describeScreen('Reset your password'),
  },
  {
    paths: ['/account'],
    module: 'account/account',
    load: () => import('../features/account/account.route.js'),
    describe: meta.describeScreen('Your account'),
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
export const privateScreens: readonly Page[] = [...screens, aboutEdit];
