import { publicPageNames } from '#libs/contracts';
import { image, link, longText, text } from '../field.js';
import { defineCollection, defineSingleton } from '../section.js';

export const contactDetail = defineCollection({
  name: 'contactDetail',
  labels: { one: 'contact detail', many: 'contact details' },
  shownOn: ['Contact'],
  fields: {
    contactImg: image('Icon'),
    contactTitle: text('Title'),
    contactDetails: longText('Details'),
  },
  routes: { list: '/contacts', one: '/contacts/:id', create: '/add-contact', update: '/contacts/:id' },
  // The specification misspells 'Contact'.
  toasts: { created: 'Contcat Section is Updated', updated: 'Contcat Section is Updated' },
});

export const footerAbout = defineSingleton({
  name: 'footerAbout',
  labels: { one: 'footer about', many: 'footer abouts' },
  shownOn: publicPageNames,
  fields: { aboutFooterText: text('Heading'), aboutFooterDetails: longText('Details') },
  routes: {
    list: '/footer-about',
    one: '/footer-about/:id',
    create: '/add-footer-about',
    update: '/footer-about/:id',
  },
  // The specification has two spaces here.
  toasts: { created: 'Footer About  is Updated', updated: 'Footer is Updated' },
});

export const footerAddress = defineSingleton({
  name: 'footerAddress',
  labels: { one: 'footer address', many: 'footer addresses' },
  shownOn: publicPageNames,
  fields: { footeraddress: longText('Address'), footerPhone: text('Phone'), footerEmail: text('E-mail') },
  routes: {
    list: '/footer-address',
    one: '/footer-address/:id',
    create: '/add-footer-address',
    update: '/footer-address/:id',
  },
  toasts: { created: 'Footer Address is Updated', updated: 'Footer Address is Updated' },
});

export const footerSocial = defineSingleton({
  name: 'footerSocial',
  labels: { one: 'social links', many: 'social links' },
  shownOn: publicPageNames,
  fields: {
    aboutText: longText('About text'),
    fblink: link('Facebook link'),
    inslink: link('Instagram link'),
  },
  routes: {
    list: '/footer-social',
    one: '/footer-social/:id',
    create: '/add-footer-social',
    update: '/footer-social/:id',
  },
  toasts: { created: 'Social Link is Updated', updated: 'Social Link is Updated' },
});

export const copyright = defineSingleton({
  name: 'copyright',
  labels: { one: 'copyright line', many: 'copyright lines' },
  shownOn: publicPageNames,
  fields: { copyrightText: text('Text') },
  routes: {
    list: '/copyrights',
    one: '/copyrights/:id',
    create: '/add-footer-copyright',
    update: '/copyrights/:id',
  },
  toasts: { created: 'Footer Copy Right Updated', updated: 'Footer Copy Right Updated' },
});

const legalTextOptions = {
  formatted: true,
  help: 'Use the buttons for headings, lists and links. An empty line starts a new paragraph.',
};

export const terms = defineSingleton({
  name: 'terms',
  labels: { one: 'terms', many: 'terms' },
  shownOn: ['Terms'],
  linkText: 'termsHeading',
  fields: {
    termsHeading: text('Heading'),
    termsText: longText('Text', legalTextOptions),
  },
  routes: { list: '/terms-text', one: '/terms-text/:id', create: '/add-terms', update: '/terms-text/:id' },
  toasts: { created: 'Terms are Updated', updated: 'Terms are Updated' },
});

export const privacy = defineSingleton({
  name: 'privacy',
  labels: { one: 'privacy policy', many: 'privacy policies' },
  shownOn: ['Privacy'],
  linkText: 'privacyHeading',
  fields: {
    privacyHeading: text('Heading'),
    privacyText: longText('Text', legalTextOptions),
  },
  routes: {
    list: '/privacy-text',
    one: '/privacy-text/:id',
    create: '/add-privacy',
    update: '/privacy-text/:id',
  },
  toasts: { created: 'Privacy Policy is Updated', updated: 'Privacy Policy is Updated' },
});
