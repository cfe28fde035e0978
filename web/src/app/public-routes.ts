import * as meta from './meta.js';
import type { Page } from './page.js';

/** Whatever no other route has. */
export const notFound: Page = {
  paths: ['*'],
  load: () => import('./NotFound.js'),
  describe: meta.describeNotFound,
  status: () => 404,
};

/** Pages that are rendered with their content. Each is a chunk of its own. */
export const publicPages: readonly Page[] = [
  {
    paths: ['/'],
    module: 'landing/landing',
    load: () => import('../features/landing/landing.route.js'),
    describe: meta.describeLanding,
  },
  {
    paths: ['/pricing'],
    module: 'pricing/pricing',
    load: () => import('../features/pricing/pricing.route.js'),
    describe: meta.describePricing,
  },
  {
    paths: ['/service'],
    module: 'service/service',
    load: () => import('../features/service/service.route.js'),
    describe: meta.describeService,
  },
  {
    paths: ['/contact', '/contact-us'],
    module: 'contact/contact',
    load: () => import('../features/contact/contact.route.js'),
    describe: meta.describeContact,
  },
  {
    paths: ['/terms'],
    module: 'legal/terms',
    load: () => import('../features/legal/terms.route.js'),
    describe: meta.describeTerms,
  },
  {
    paths: ['/privacy'],
    module: 'legal/privacy',
    load: () => import('../features/legal/privacy.route.js'),
    describe: meta.describePrivacy,
  },
];
