import { publicPageNames } from '#libs/contracts';
import { image, link, longText, optional, text } from '../field.js';
import { defineCollection, defineSingleton } from '../section.js';

export const siteName = defineSingleton({
  name: 'siteName',
  labels: { one: 'site name', many: 'site names' },
  shownOn: publicPageNames,
  fields: {
    siteName: text('Site name', {
      help: 'Used in page titles, the header, e-mails, receipts, link previews and search results.',
    }),
  },
  routes: { list: '/site-name', one: '/site-name/:id', create: '/add-site-name', update: '/site-name/:id' },
  toasts: { created: 'Site Name is Updated', updated: 'Site Name is Updated' },
});

export const logo = defineSingleton({
  name: 'logo',
  labels: { one: 'logo', many: 'logos' },
  shownOn: publicPageNames,
  fields: {
    logo: image('Logo'),
    logoOnDark: optional(
      image('Logo for dark backgrounds', {
        help: 'Shown in the footer, and in the header to visitors who use a dark theme. Leave empty to show the same logo there.',
      }),
    ),
  },
  routes: { list: '/logo', one: '/logo/:id', create: '/add-logo', update: '/logo/:id' },
  toasts: { created: 'Logo is Updated', updated: 'Logo is Updated' },
});

export const banner = defineSingleton({
  name: 'banner',
  labels: { one: 'banner', many: 'banners' },
  shownOn: ['Landing'],
  fields: {
    bannerHeading: text('Heading'),
    bannerDetails: longText('Details'),
    bannerImage: image('Image'),
    buttonOneText: text('First button: text'),
    buttonOneLink: link('First button: link'),
    buttonTwoText: text('Second button: text'),
    buttonTwoLink: link('Second button: link'),
  },
  routes: { list: '/banner', one: '/banner/:id', create: '/add-banner', update: '/update-banner/:id' },
  toasts: { created: 'Banner is Updated', updated: 'Banner is Updated' },
});

export const workSection = defineSingleton({
  name: 'workSection',
  labels: { one: 'work section', many: 'work sections' },
  shownOn: ['Landing'],
  fields: {
    workTitle: text('Title'),
    stepOne: text('Step one'),
    stepTwo: text('Step two'),
    stepThree: text('Step three'),
    stepFour: text('Step four'),
  },
  routes: { list: '/worksec', one: '/worksec/:id', create: '/add-worksec', update: '/update-worksec/:id' },
  toasts: { created: 'Work Step is Updated', updated: 'Work Section is Updated' },
});

export const step = defineCollection({
  name: 'step',
  labels: { one: 'step', many: 'steps' },
  shownOn: ['Landing'],
  fields: {
    stepTitle: text('Title'),
    stepDetails: longText('Details'),
    stepNumber: text('Number', {
      help: 'From 1 to 4. The details appear under the step with this number in the work section.',
    }),
  },
  routes: { list: '/steps', one: '/step-item/:id', create: '/add-step', update: '/step-item/:id' },
  toasts: { created: 'Step Section is Updated', updated: 'Step Section is Updated' },
});

export const about = defineSingleton({
  name: 'about',
  labels: { one: 'about section', many: 'about sections' },
  shownOn: ['Landing', 'Service'],
  fields: {
    aboutImg: image('Image'),
    aboutHeading: text('Heading'),
    aboutText: longText('Text'),
    certifiedHeading: text('First feature: heading'),
    certifiedDetails: longText('First feature: details'),
    awardHeading: text('Second feature: heading'),
    awardDetails: longText('Second feature: details'),
    buttonText: text('Button: text'),
    buttonLink: link('Button: link'),
    aboutDetails: optional(longText('Service page: details')),
    // The public API misspells these names.
    aboutPointone: optional(text('Service page: first skill')),
    aboutPointwo: optional(text('Service page: second skill')),
    aboutPointhree: optional(text('Service page: third skill')),
  },
  routes: { list: '/about', one: '/about-us/:id', create: '/add-about', update: '/update-about/:id' },
  toasts: { created: 'About is Updated', updated: 'About is Updated' },
});

export const faqHeading = defineSingleton({
  name: 'faqHeading',
  labels: { one: 'FAQ heading', many: 'FAQ headings' },
  shownOn: ['Landing'],
  fields: { faqHeading: text('Heading'), faqText: longText('Text') },
  routes: { list: '/faq', one: '/faq/:id', create: '/add-faq', update: '/faq/:id' },
  toasts: { created: 'FAQ is Updated', updated: 'FAQ Text is Updated' },
});

export const faqItem = defineCollection({
  name: 'faqItem',
  labels: { one: 'question', many: 'questions' },
  shownOn: ['Landing'],
  // The public API misspells 'accordion' in these names.
  fields: { accodingTitle: text('Question'), accodingText: longText('Answer') },
  routes: { list: '/faq-items', one: '/faq-item/:id', create: '/add-faq-item', update: '/faq-item/:id' },
  toasts: { created: 'FAQ Item is Added', updated: 'FAQ Item is Updated' },
});

export const counters = defineSingleton({
  name: 'counters',
  labels: { one: 'counters', many: 'counters' },
  shownOn: ['Landing', 'Service'],
  fields: {
    happyClientsNumber: text('Happy clients: number'),
    happyClientsText: text('Happy clients: text'),
    projectCompleteNumber: text('Completed projects: number'),
    projectCompleteText: text('Completed projects: text'),
    yearofExperienceNumber: text('Years of experience: number'),
    yearofExperienceText: text('Years of experience: text'),
    // The public API misspells 'winning'.
    winingAwardNumber: text('Awards: number'),
    winingAwardText: text('Awards: text'),
  },
  routes: {
    list: '/counters',
    one: '/counters/:id',
    create: '/add-counter',
    update: '/update-counters/:id',
  },
  toasts: { created: 'Counter is Updated', updated: 'Counters is Updated' },
});

export const testimonialText = defineSingleton({
  name: 'testimonialText',
  labels: { one: 'testimonial heading', many: 'testimonial headings' },
  shownOn: ['Landing'],
  fields: { testimonialHeading: text('Heading'), testimonialText: longText('Text') },
  routes: {
    list: '/testimonialtext',
    one: '/testimonialtext/:id',
    create: '/add-testimonial-text',
    update: '/testimonialtext/:id',
  },
  toasts: { created: 'Testimonial Text Is Updated', updated: 'Testimonial Text Is Updated' },
});

export const testimonial = defineCollection({
  name: 'testimonial',
  labels: { one: 'testimonial', many: 'testimonials' },
  shownOn: ['Landing'],
  fields: {
    desc: longText('What they say'),
    image: image('Portrait'),
    personName: text('Name'),
    personTitle: text('Title and company'),
  },
  routes: {
    list: '/testimonials',
    one: '/testimonial/:id',
    create: '/add-testimonial',
    update: '/testimonial/:id',
  },
  toasts: { created: 'Item is Added', updated: 'Item is Updated' },
});

export const newsletter = defineSingleton({
  name: 'newsletter',
  labels: { one: 'newsletter form', many: 'newsletter forms' },
  shownOn: ['Landing'],
  fields: {
    newsletterHeading: text('Heading'),
    newsletterConsent: longText('Consent', {
      help: 'What people agree to when they sign up. Shown on the form, in the confirmation e-mail and on the confirmation page, and stored with each sign-up.',
    }),
  },
  routes: {
    list: '/newsletter-text',
    one: '/newsletter-text/:id',
    create: '/add-newsletter',
    update: '/newsletter-text/:id',
  },
  toasts: { created: 'Newsletter Form is Updated', updated: 'Newsletter Form is Updated' },
});
