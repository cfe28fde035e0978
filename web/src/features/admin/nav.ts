import type { NavGroup } from '../../workspace/Workspace.js';
import { type ContentScreen, contentScreens, screenAt } from './screens.js';

/** What the admin area holds beside content. Every screen has its place here or in a section's entry. */
const work: NavGroup = {
  entries: [
    { to: '/admin', text: 'Dashboard' },
    { to: '/total-orders', text: 'Orders', also: (path) => path.startsWith('/admin/payment-status/') },
    { to: '/all-messages', text: 'Messages', also: (path) => path.startsWith('/view/') },
    { to: '/all-subscriber', text: 'Subscribers' },
    {
      to: '/campaigns',
      text: 'Campaigns',
      holds: 'newsletter letters send schedule subscribers',
      also: (path) => path.startsWith('/campaign/'),
    },
    { to: '/sent-mail', text: 'Sent mail', holds: 'Mails e-mail notices delivery failed bounced send again' },
    { to: '/add-user', text: 'Admin users', also: (path) => path.startsWith('/admin-user/') },
    {
      to: '/add-paypal-Email',
      text: 'Payment',
      holds: 'PayPal e-mail',
      also: (path) => path.startsWith('/paypal-email/'),
    },
    { to: '/audit-log', text: 'Audit log', holds: 'history changes who' },
    { to: '/setting', text: 'All settings' },
  ],
};

const pages: readonly { heading: string; paths: readonly string[] }[] = [
  {
    heading: 'Landing page',
    paths: [
      '/edit-banner',
      '/edit-service',
      '/edit-work',
      '/step-section',
      '/edit-about',
      '/edit-faq',
      '/edit-counter',
      '/edit-testimonial',
    ],
  },
  {
    heading: 'Offer and contact',
    paths: ['/add-pricing', '/update-calltoaction', '/edit-video', '/add-contact', '/add-item'],
  },
  {
    heading: 'Every page',
    paths: ['/add-logo', '/add-about-footer', '/add-address-footer', '/add-social-footer', '/add-copyright'],
  },
];

const placed = new Set(pages.flatMap(({ paths }) => paths));

function entryOf(screen: ContentScreen) {
  return {
    to: screen.path,
    text: screen.label,
    holds: screen.parts
      .flatMap(({ section }) => [
        section.labels.many,
        ...Object.values(section.fields).map(({ label }) => label),
      ])
      .join(' '),
    also: (pathname: string) => {
      const at = screenAt(pathname);
      return at?.screen === screen && at.part !== undefined;
    },
  };
}

const isScreen = (screen: ContentScreen | undefined): screen is ContentScreen => screen !== undefined;

export const adminNav: readonly NavGroup[] = [
  work,
  ...pages.map(({ heading, paths }) => ({
    heading,
    entries: paths
      .map((path) => contentScreens.find((screen) => screen.path === path))
      .filter(isScreen)
      .map(entryOf),
  })),
  { heading: 'More', entries: contentScreens.filter(({ path }) => !placed.has(path)).map(entryOf) },
];
