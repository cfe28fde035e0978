import { type PublicPageName, publicPages as addresses } from '#libs/contracts';
import * as meta from './meta.js';
import type { Page } from './page.js';

/** Whatever no other route has. */
export const notFound: Page = {
  paths: ['*'],
  load: () => import('./NotFound.js'),
  describe: meta.describeNotFound,
  status: () => 404,
};

/** Its addresses and its head go by its name. */
const publicPage = (name: PublicPageName, module: string, load: Page['load']): Page => ({
  name,
  paths: addresses.filter((page) => page.name === name).map(({ path }) => path),
  module,
  load,
  describe: meta.describePublic(name),
});

/** Pages that are rendered with their content. Each is a chunk of its own. */
export const publicPages: readonly Page[] = [
  publicPage('Landing', 'landing/landing', () => import('../features/landing/landing.route.js')),
  publicPage('Pricing', 'pricing/pricing', () => import('../features/pricing/pricing.route.js')),
  publicPage('Service', 'service/service', () => import('../features/service/service.route.js')),
  publicPage('Contact', 'contact/contact', () => import('../features/contact/contact.route.js')),
  publicPage('Terms', 'legal/terms', () => import('../features/legal/terms.route.js')),
  publicPage('Privacy', 'legal/privacy', () => import('../features/legal/privacy.route.js')),
];
