import { aboutEditShell } from '#libs/contracts';
import { adminScreens, describeAdmin } from './admin-routes.js';
import * as meta from './meta.js';
import { orderScreens } from './order-routes.js';
import { isRecordId } from '../lib/record-id.js';
import type { Page } from './page.js';

const screens: readonly Page[] = [
  ...adminScreens,
  ...orderScreens,
  meta.screen(
    '/account/security',
    'security/security',
    'Security',
    () => import('../features/security/security.route.js'),
  ),
  meta.screen('/login', 'session/login', 'Login', () => import('../features/session/login.route.js')),
  meta.screen(
    '/register',
    'session/register',
    'Register',
    () => import('../features/session/register.route.js'),
  ),
  meta.screen(
    '/verify-email',
    'account/verify-email',
    'Confirm your address',
    () => import('../features/account/verify-email.route.js'),
  ),
  meta.screen(
    '/reset',
    'account/reset',
    'Reset your password',
    () => import('../features/account/reset.route.js'),
  ),
  meta.screen(
    '/account',
    'account/account',
    'Your account',
    () => import('../features/account/account.route.js'),
  ),
];

const isRecordPath = (path: string) => isRecordId(path.split('/')[1]);

/** The catch-all of one segment: a record's id opens About's edit screen, anything else is no page. */
const aboutEdit: Page = {
  paths: [aboutEditShell],
  load: () => import('./AboutEdit.js'),
  describe: (data, path) => (isRecordPath(path) ? describeAdmin(data, path) : meta.describeNotFound(data)),
  status: (path) => (isRecordPath(path) ? 200 : 404),
};

/** Screens that are shells until the browser has loaded their data. */
export const privateScreens: readonly Page[] = [...screens, aboutEdit];
