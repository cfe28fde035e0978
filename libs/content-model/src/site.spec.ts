import { describe, expect, test } from '@jest/globals';
import { customizableMailNames, publicPageNames } from '#libs/contracts';
import { allSections, findSection, sections, type SectionName } from './site.js';

/**
 * Written by hand from sections 3, 7 and 8 of the specification and sections 2 and 6 of its supplement; neither document is in this repository.
 * Content that neither document mentions is copied from the declarations. `routes`: list, one, create, update. `toasts`: created, updated. In
 * `fields`, `?`: may be left out; `@`: holds an address.
 */
const expectedSections: Record<
  SectionName,
  { kind: string; routes: string; toasts: [string, string]; fields: string }
> = {
  siteName: {
    kind: 'singleton',
    routes: '/site-name /site-name/:id /add-site-name /site-name/:id',
    toasts: ['Site Name is Updated', 'Site Name is Updated'],
    fields: 'siteName',
  },
  logo: {
    kind: 'singleton',
    routes: '/logo /logo/:id /add-logo /logo/:id',
    toasts: ['Logo is Updated', 'Logo is Updated'],
    fields: 'logo@ logoOnDark@?',
  },
  banner: {
    kind: 'singleton',
    routes: '/banner /banner/:id /add-banner /update-banner/:id',
    toasts: ['Banner is Updated', 'Banner is Updated'],
    fields:
      'bannerHeading bannerDetails bannerImage@ buttonOneText buttonOneLink@ buttonTwoText buttonTwoLink@',
  },
  about: {
    kind: 'singleton',
    routes: '/about /about-us/:id /add-about /update-about/:id',
    toasts: ['About is Updated', 'About is Updated'],
    fields:
      'aboutImg@ aboutHeading aboutText certifiedHeading certifiedDetails awardHeading awardDetails buttonText buttonLink@ ' +
      'aboutDetails? aboutPointone? aboutPointwo? aboutPointhree?',
  },
  serviceHeading: {
    kind: 'singleton',
    routes: '/service /service/:id /add-Service /service/:id',
    toasts: ['Service is Updated', 'Service Text is Updated'],
    fields: 'serviceHeading servicesubHeading',
  },
  serviceItem: {
    kind: 'collection',
    routes: '/service-items /service-item/:id /add-service-item /service-item/:id',
    toasts: ['Item is Added', 'Item is Updated'],
    fields: 'serviceIcon@ serviceTitle serviceDetails',
  },
  callToAction: {
    kind: 'singleton',
    routes: '/actions /actions/:id /add-action /update-actions/:id',
    toasts: ['Action is Updated', 'Action is Updated'],
    fields: 'heading subHeading buttonText? buttonLink@?',
  },
  workSection: {
    kind: 'singleton',
    routes: '/worksec /worksec/:id /add-worksec /update-worksec/:id',
    toasts: ['Work Step is Updated', 'Work Section is Updated'],
    fields: 'workTitle stepOne stepTwo stepThree stepFour',
  },
  step: {
    kind: 'collection',
    routes: '/steps /step-item/:id /add-step /step-item/:id',
    toasts: ['Step Section is Updated', 'Step Section is Updated'],
    fields: 'stepTitle stepDetails stepNumber',
  },
  faqHeading: {
    kind: 'singleton',
    routes: '/faq /faq/:id /add-faq /faq/:id',
    toasts: ['FAQ is Updated', 'FAQ Text is Updated'],
    fields: 'faqHeading faqText',
  },
  faqItem: {
    kind: 'collection',
    routes: '/faq-items /faq-item/:id /add-faq-item /faq-item/:id',
    toasts: ['FAQ Item is Added', 'FAQ Item is Updated'],
    fields: 'accodingTitle accodingText',
  },
  counters: {
    kind: 'singleton',
    routes: '/counters /counters/:id /add-counter /update-counters/:id',
    toasts: ['Counter is Updated', 'Counters is Updated'],
    fields:
      'happyClientsNumber happyClientsText projectCompleteNumber projectCompleteText ' +
      'yearofExperienceNumber yearofExperienceText winingAwardNumber winingAwardText',
  },
  testimonialText: {
    kind: 'singleton',
    routes: '/testimonialtext /testimonialtext/:id /add-testimonial-text /testimonialtext/:id',
    toasts: ['Testimonial Text Is Updated', 'Testimonial Text Is Updated'],
    fields: 'testimonialHeading testimonialText',
  },
  testimonial: {
    kind: 'collection',
    routes: '/testimonials /testimonial/:id /add-testimonial /testimonial/:id',
    toasts: ['Item is Added', 'Item is Updated'],
    fields: 'desc image@ personName personTitle',
  },
  newsletter: {
    kind: 'singleton',
    routes: '/newsletter-text /newsletter-text/:id /add-newsletter /newsletter-text/:id',
    toasts: ['Newsletter Form is Updated', 'Newsletter Form is Updated'],
    fields: 'newsletterHeading newsletterConsent',
  },
  pricingPackage: {
    kind: 'collection',
    routes: '/pricings /pricing/:id /add-pricing /pricing/:id',
    toasts: ['Pricing is Updated', 'Pricing One Is Updated'],
    fields:
      'packageName packageDetails? packagePrice packageButtonText packagePointOne packagePointTwo packagePointThree ' +
      'packagePointFour packagePointFive packagePointSix packagePointSeven packagePointEight? packagePointNine? packagePointTen?',
  },
  paymentText: {
    kind: 'singleton',
    routes: '/payment-text /payment-text/:id /add-payment-text /payment-text/:id',
    toasts: ['Payment Text is Updated', 'Payment Text is Updated'],
    fields: 'howPaymentWorks',
  },
  videoSection: {
    kind: 'singleton',
    routes: '/videos /videos/:id /add-video /update-videos/:id',
    toasts: ['Video Section is Updated', 'Video Text is Updated'],
    fields: 'imageLink@ videoLink@ videoSectionTitle videoSectionText',
  },
  teamMember: {
    kind: 'collection',
    routes: '/videos-items /videos-items/:id /add-video-item /videos-items/:id',
    toasts: ['Team Members Item is Added', 'Video Section is Updated'],
    fields: 'facebookLink@ twitterLink@ linkedinLink@ youtubeLink@ memberImg@ membername memberPosition',
  },
  designItem: {
    kind: 'collection',
    routes: '/items /item/:id /add-item /item/:id',
    toasts: ['Item is Added', 'Item is Updated'],
    fields: 'format canvaLink@ imageLink@ category freeOrPaid',
  },
  contactDetail: {
    kind: 'collection',
    routes: '/contacts /contacts/:id /add-contact /contacts/:id',
    toasts: ['Contcat Section is Updated', 'Contcat Section is Updated'],
    fields: 'contactImg@ contactTitle contactDetails',
  },
  footerAbout: {
    kind: 'singleton',
    routes: '/footer-about /footer-about/:id /add-footer-about /footer-about/:id',
    toasts: ['Footer About  is Updated', 'Footer is Updated'],
    fields: 'aboutFooterText aboutFooterDetails',
  },
  footerAddress: {
    kind: 'singleton',
    routes: '/footer-address /footer-address/:id /add-footer-address /footer-address/:id',
    toasts: ['Footer Address is Updated', 'Footer Address is Updated'],
    fields: 'footeraddress footerPhone footerEmail',
  },
  footerSocial: {
    kind: 'singleton',
    routes: '/footer-social /footer-social/:id /add-footer-social /footer-social/:id',
    toasts: ['Social Link is Updated', 'Social Link is Updated'],
    fields: 'aboutText fblink@ inslink@',
  },
  copyright: {
    kind: 'singleton',
    routes: '/copyrights /copyrights/:id /add-footer-copyright /copyrights/:id',
    toasts: ['Footer Copy Right Updated', 'Footer Copy Right Updated'],
    fields: 'copyrightText',
  },
  terms: {
    kind: 'singleton',
    routes: '/terms-text /terms-text/:id /add-terms /terms-text/:id',
    toasts: ['Terms are Updated', 'Terms are Updated'],
    fields: 'termsHeading termsText',
  },
  privacy: {
    kind: 'singleton',
    routes: '/privacy-text /privacy-text/:id /add-privacy /privacy-text/:id',
    toasts: ['Privacy Policy is Updated', 'Privacy Policy is Updated'],
    fields: 'privacyHeading privacyText',
  },
  pageTitle: {
    kind: 'collection',
    routes: '/page-titles /page-title/:id /add-page-title /page-title/:id',
    toasts: ['Page Title is Added', 'Page Title is Updated'],
    fields: 'page title? description?',
  },
  mailText: {
    kind: 'collection',
    routes: '/mail-texts /mail-text/:id /add-mail-text /mail-text/:id',
    toasts: ['Mail Template is Added', 'Mail Template is Updated'],
    fields: 'mail send subject? text?',
  },
};

describe.each(Object.entries(expectedSections))('%s has the expected', (name, expected) => {
  const section = findSection(name);

  test('kind, routes and toasts', () => {
    expect(section?.name).toBe(name);
    expect(section?.kind).toBe(expected.kind);
    const { list, one, create, update } = section?.routes ?? {};
    expect([list, one, create, update].join(' ')).toBe(expected.routes);
    expect([section?.toasts.created, section?.toasts.updated]).toEqual(expected.toasts);
  });

  test('fields, fields with an address, and optional fields', () => {
    const declared = Object.entries(section?.fields ?? {}).map(
      ([field, { kind, required }]) =>
        `${field}${kind === 'link' || kind === 'image' ? '@' : ''}${required ? '' : '?'}`,
    );
    expect(declared.sort()).toEqual(expected.fields.split(' ').sort());
  });
});

test('the package name, the page of a page title and the mail of a mail template are the only unique fields', () => {
  const unique = allSections.flatMap(({ fields }) =>
    Object.entries(fields).filter(([, field]) => field.unique),
  );
  expect(unique.map(([name]) => name)).toEqual(['packageName', 'page', 'mail']);
});

test('packagePrice is the only price, and choices have the expected options', () => {
  const { packagePrice } = sections.pricingPackage.fields;
  const { format, freeOrPaid } = sections.designItem.fields;
  expect(sections.pageTitle.fields.page.options).toEqual(publicPageNames);
  expect(sections.mailText.fields.mail.options).toEqual(customizableMailNames);
  expect(sections.mailText.fields.send.options).toEqual(['Yes', 'No']);
  expect(packagePrice.kind).toBe('price');
  expect([...(format.options ?? [])].sort()).toEqual(['Facebook', 'Instagram', 'Youtube']);
  expect([...(freeOrPaid.options ?? [])].sort()).toEqual(['Free', 'Paid']);
  const kinds = allSections.flatMap(({ fields }) => Object.values(fields)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'price')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'choice')).toHaveLength(5);
});

test('fields with the same name hold a picture in all sections or in none', () => {
  const kinds = new Map<string, Set<string>>();
  for (const { fields } of allSections) {
    for (const [name, { kind }] of Object.entries(fields))
      kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  }
  const mixed = [...kinds].filter(([, found]) => found.has('image') && found.size > 1);
  expect(mixed).toEqual([]);
});

test('no two calls share a method and a route', () => {
  const calls = allSections.flatMap(({ kind, routes: { list, one, create, update } }) => [
    `GET ${list}`,
    `GET ${one}`,
    `POST ${create}`,
    `PUT ${update}`,
    ...(kind === 'collection' ? [`DELETE ${one}`] : []),
  ]);
  // The gateway ignores the case of paths.
  const seen = calls.map((call) => call.toLowerCase());
  expect(seen.filter((call, index) => seen.indexOf(call) !== index)).toEqual([]);
});

test.each(['__proto__', 'constructor', 'toString', 'Banner', ''])('there is no section named %j', (name) => {
  expect(findSection(name)).toBeUndefined();
});
