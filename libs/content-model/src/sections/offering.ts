import { choice, image, link, longText, optional, price, text } from '../field.js';
import { defineCollection, defineSingleton } from '../section.js';

export const serviceHeading = defineSingleton({
  name: 'serviceHeading',
  labels: { one: 'service heading', many: 'service headings' },
  shownOn: ['Landing', 'Service'],
  fields: { serviceHeading: text('Heading'), servicesubHeading: longText('Subheading') },
  routes: { list: '/service', one: '/service/:id', create: '/add-Service', update: '/service/:id' },
  toasts: { created: 'Service is Updated', updated: 'Service Text is Updated' },
});

export const serviceItem = defineCollection({
  name: 'serviceItem',
  labels: { one: 'service', many: 'services' },
  shownOn: ['Landing', 'Service'],
  fields: {
    serviceIcon: image('Icon'),
    serviceTitle: text('Title'),
    serviceDetails: longText('Details'),
  },
  routes: {
    list: '/service-items',
    one: '/service-item/:id',
    create: '/add-service-item',
    update: '/service-item/:id',
  },
  toasts: { created: 'Item is Added', updated: 'Item is Updated' },
});

export const callToAction = defineSingleton({
  name: 'callToAction',
  labels: { one: 'call to action', many: 'calls to action' },
  shownOn: ['Service'],
  fields: {
    heading: text('Heading'),
    subHeading: longText('Subheading'),
    buttonText: optional(text('Button: text')),
    buttonLink: optional(link('Button: link')),
  },
  routes: { list: '/actions', one: '/actions/:id', create: '/add-action', update: '/update-actions/:id' },
  toasts: { created: 'Action is Updated', updated: 'Action is Updated' },
});

export const pricingPackage = defineCollection({
  name: 'pricingPackage',
  labels: { one: 'package', many: 'packages' },
  shownOn: ['Pricing', 'Service'],
  fields: {
    packageName: text('Name', {
      unique: true,
      help: 'The pricing page shows the packages named exactly Basic, Premium and Standard.',
    }),
    packageDetails: optional(longText('Details')),
    packagePrice: price('Price per month in dollars'),
    packageButtonText: text('Button text'),
    packagePointOne: text('Point 1'),
    packagePointTwo: text('Point 2'),
    packagePointThree: text('Point 3'),
    packagePointFour: text('Point 4'),
    packagePointFive: text('Point 5'),
    packagePointSix: text('Point 6'),
    packagePointSeven: text('Point 7'),
    packagePointEight: optional(text('Point 8', { help: 'Shown for Premium only.' })),
    packagePointNine: optional(text('Point 9', { help: 'Not shown on any page.' })),
    packagePointTen: optional(text('Point 10', { help: 'Not shown on any page.' })),
  },
  routes: { list: '/pricings', one: '/pricing/:id', create: '/add-pricing', update: '/pricing/:id' },
  toasts: { created: 'Pricing is Updated', updated: 'Pricing One Is Updated' },
});

export const paymentText = defineSingleton({
  name: 'paymentText',
  labels: { one: 'payment text', many: 'payment texts' },
  shownOn: ['Pricing'],
  fields: {
    howPaymentWorks: longText('How payment works', {
      help: 'Shown under the heading of the pricing page. Until you save a text, the page says that prices are per month and that customers pay after placing their order.',
    }),
  },
  routes: {
    list: '/payment-text',
    one: '/payment-text/:id',
    create: '/add-payment-text',
    update: '/payment-text/:id',
  },
  toasts: { created: 'Payment Text is Updated', updated: 'Payment Text is Updated' },
});

export const videoSection = defineSingleton({
  name: 'videoSection',
  labels: { one: 'video section', many: 'video sections' },
  shownOn: ['Service'],
  fields: {
    imageLink: image('Preview image'),
    videoLink: link('Video link'),
    videoSectionTitle: text('Title'),
    videoSectionText: longText('Text'),
  },
  routes: { list: '/videos', one: '/videos/:id', create: '/add-video', update: '/update-videos/:id' },
  toasts: { created: 'Video Section is Updated', updated: 'Video Text is Updated' },
});

export const teamMember = defineCollection({
  name: 'teamMember',
  labels: { one: 'team member', many: 'team members' },
  shownOn: ['Service'],
  fields: {
    membername: text('Name'),
    memberPosition: text('Position'),
    memberImg: image('Portrait'),
    facebookLink: link('Facebook link'),
    twitterLink: link('Twitter link'),
    linkedinLink: link('LinkedIn link'),
    youtubeLink: link('YouTube link'),
  },
  // The specification has 'video' in these addresses, and 'Video' in a toast.
  routes: {
    list: '/videos-items',
    one: '/videos-items/:id',
    create: '/add-video-item',
    update: '/videos-items/:id',
  },
  toasts: { created: 'Team Members Item is Added', updated: 'Video Section is Updated' },
});

export const designItem = defineCollection({
  name: 'designItem',
  labels: { one: 'design item', many: 'design items' },
  // Anybody can read design items over the API, but no page shows them.
  shownOn: [],
  fields: {
    format: choice('Format', ['Facebook', 'Instagram', 'Youtube']),
    canvaLink: link('Canva link'),
    imageLink: image('Image'),
    category: text('Category'),
    freeOrPaid: choice('Free or paid', ['Free', 'Paid']),
  },
  routes: { list: '/items', one: '/item/:id', create: '/add-item', update: '/item/:id' },
  toasts: { created: 'Item is Added', updated: 'Item is Updated' },
});
