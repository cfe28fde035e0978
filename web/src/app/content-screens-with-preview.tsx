import { type ComponentType, lazy } from 'react';
import { type SectionName, sections } from '#libs/content-model';
import { ContentList } from '../features/admin/content-list.js';
import { ContentEdit, type PreviewOf } from '../features/admin/content-edit.js';
import { Preview } from '../workspace/Preview.js';
import { Footer } from './Footer.js';
import { SearchResultPreview } from './SearchResultPreview.js';

/* Shows public pages next to the forms for their content. This module is in no feature, because features do not import each other. */

/** If loading fails, the form is shown without the preview. */
const lazyPage = (load: () => Promise<{ Component: ComponentType }>) =>
  lazy(() =>
    load().then(
      ({ Component: Page }) => ({ default: Page }),
      () => ({ default: () => null }),
    ),
  );

const landing = lazyPage(() => import('../features/landing/landing.route.js'));
const pricing = lazyPage(() => import('../features/pricing/pricing.route.js'));
const service = lazyPage(() => import('../features/service/service.route.js'));
const contact = lazyPage(() => import('../features/contact/contact.route.js'));
const terms = lazyPage(() => import('../features/legal/terms.route.js'));
const privacy = lazyPage(() => import('../features/legal/privacy.route.js'));

/** Where visitors see a section: on a page or in the footer. `at` selects the element to scroll to. */
const places: Partial<Record<SectionName, { Page: ComponentType; at: string }>> = {
  banner: { Page: landing, at: '[aria-labelledby="banner-heading"]' },
  serviceHeading: { Page: landing, at: '#services' },
  serviceItem: { Page: landing, at: '#services' },
  workSection: { Page: landing, at: '[aria-labelledby="work-heading"]' },
  step: { Page: landing, at: '[aria-labelledby="work-heading"]' },
  about: { Page: landing, at: '[aria-labelledby="about-heading"]' },
  faqHeading: { Page: landing, at: '#faq' },
  faqItem: { Page: landing, at: '#faq' },
  counters: { Page: landing, at: '.counters' },
  testimonialText: { Page: landing, at: '[aria-labelledby="testimonials-heading"]' },
  testimonial: { Page: landing, at: '[aria-labelledby="testimonials-heading"]' },
  newsletter: { Page: landing, at: '.newsletter' },
  pricingPackage: { Page: pricing, at: '.packages' },
  paymentText: { Page: pricing, at: '.page-head' },
  callToAction: { Page: service, at: '.call-to-action' },
  videoSection: { Page: service, at: '.video' },
  teamMember: { Page: service, at: '.team' },
  contactDetail: { Page: contact, at: '.contact__panel' },
  footerAbout: { Page: Footer, at: 'footer' },
  footerAddress: { Page: Footer, at: 'footer' },
  footerSocial: { Page: Footer, at: 'footer' },
  copyright: { Page: Footer, at: 'footer' },
  logo: { Page: Footer, at: 'footer' },
  terms: { Page: terms, at: 'h1' },
  privacy: { Page: privacy, at: 'h1' },
};

/** An empty optional field is not stored. An empty required field is left out, too, and the page shows nothing in its place. */
const asStored = <R extends object>(record: R): R =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '')) as R;

const previewOf: PreviewOf = (section, record) => {
  if (section === sections.pageTitle.name) return <SearchResultPreview record={record} />;
  const place = places[section as SectionName];
  if (!place) return null;
  return (
    <Preview section={section as SectionName} record={asStored(record)} selector={place.at}>
      <place.Page />
    </Preview>
  );
};

export function Component() {
  return <ContentEdit previewOf={previewOf} />;
}

export function List() {
  return <ContentList previewOf={previewOf} />;
}
