import { type PublicPageName, publicPages } from '#libs/contracts';
import type { Page } from '../lib/page.js';
import { pageHandleAt, pageRoutes } from './page-routes.js';

/** A page has a row for each of its paths. */
const publicPage = (name: PublicPageName, module: string, load: Page['load']): Page[] =>
  publicPages.filter((page) => page.name === name).map(({ path }) => ({ path, name, module, load }));

/**
 * Public pages, the screens for signing in and registering, and the screens that links in account mails open. Visitors load this table, so all
 * other screens are in `screens.tsx`.
 */
export const visitorPages: readonly Page[] = [
  ...publicPage('Landing', 'landing/landing', () => import('../features/landing/landing.route.js')),
  ...publicPage('Pricing', 'pricing/pricing', () => import('../features/pricing/pricing.route.js')),
  ...publicPage('Service', 'service/service', () => import('../features/service/service.route.js')),
  ...publicPage('Contact', 'contact/contact', () => import('../features/contact/contact.route.js')),
  ...publicPage('Terms', 'legal/terms', () => import('../features/legal/terms.route.js')),
  ...publicPage('Privacy', 'legal/privacy', () => import('../features/legal/privacy.route.js')),
  {
    path: '/login',
    title: 'Login',
    module: 'session/login',
    load: () => import('../features/session/login.route.js'),
  },
  {
    path: '/register',
    title: 'Register',
    module: 'session/register',
    load: () => import('../features/session/register.route.js'),
  },
  {
    path: '/reset',
    title: 'Reset your password',
    module: 'account/reset',
    load: () => import('../features/account/reset.route.js'),
  },
  {
    path: '/verify-email',
    title: 'Confirm your address',
    module: 'account/verify-email',
    load: () => import('../features/account/verify-email.route.js'),
  },
  {
    path: '/admin-invitation',
    title: 'Admin invitation',
    module: 'account/admin-invitation',
    load: () => import('../features/account/admin-invitation.route.js'),
  },
];

const loadScreens = () => import('./screens.js');

/** Every other address: a screen of `screens.tsx`, or not found. */
export const catchAll: Page = { path: '*', load: loadScreens };

export const routes = pageRoutes([...visitorPages, catchAll]);

export async function preloadAt(path: string): Promise<void> {
  const { page, preload } = pageHandleAt(routes, path);
  await preload();
  if (page === catchAll) await (await loadScreens()).screenHandleAt(path).preload();
}
