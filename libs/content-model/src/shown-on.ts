import type { PublicPageName } from '#libs/contracts';
import type { SectionName } from './site.js';

/** Header, footer, and what search engines are told of the site on each of its pages. */
const frame = [
  'logo',
  'footerAbout',
  'footerAddress',
  'footerSocial',
  'copyright',
] as const satisfies readonly SectionName[];

/**
 * The sections that each public page shows, in its body or to search engines: a page has changed when one of these has. Of
 * the page titles it is the page's own; what links are called does not count. What the pages really show is tested against
 * this (`web/src/app/shown-on.spec.ts`).
 */
export const sectionsShownOn: Readonly<Record<PublicPageName, readonly SectionName[]>> = {
  Landing: [
    ...frame,
    'pageTitle',
    'banner',
    'serviceHeading',
    'serviceItem',
    'workSection',
    'step',
    'about',
    'faqHeading',
    'faqItem',
    'counters',
    'testimonialText',
    'testimonial',
    'newsletter',
  ],
  Pricing: [...frame, 'pageTitle', 'pricingPackage'],
  Service: [
    ...frame,
    'pageTitle',
    'counters',
    'serviceHeading',
    'serviceItem',
    'pricingPackage',
    'about',
    'callToAction',
    'videoSection',
    'teamMember',
  ],
  Contact: [...frame, 'pageTitle', 'contactDetail'],
  Terms: [...frame, 'pageTitle', 'terms'],
  Privacy: [...frame, 'pageTitle', 'privacy'],
};
