import { describe, expect, test } from '@jest/globals';
import { publicPageNames, publicPages } from '#libs/contracts';
import type { PageData, Site } from '../lib/site.js';
import { describePublicPage, describeScreen } from './meta.js';

const _id = 'x';

const site: Site = {
  siteName: [{ _id, siteName: 'Northrank' }],
  banner: [{ _id, bannerHeading: 'Climb the\n list.', bannerDetails: 'We fix what holds a site back.' }],
  pricingPackage: [
    { _id, packageName: 'Premium', packagePrice: '990.00', packageDetails: 'For leaders.' },
    { _id, packageName: 'Basic', packagePrice: '290.00', packageDetails: 'For a start.' },
    // The page shows only packages whose names are in `packageNames`.
    { _id, packageName: 'Hidden', packagePrice: '1.00', packageDetails: 'Not on the page.' },
  ],
  serviceHeading: [{ _id, serviceHeading: 'Six things', servicesubHeading: 'All done by ourselves.' }],
  footerAddress: [{ _id, footeraddress: '14 Harbor Row', footerPhone: '+1 207', footerEmail: 'a@b.example' }],
  terms: [{ _id, termsHeading: 'Terms of service', termsText: 'These terms\n\napply.' }],
  privacy: [{ _id, privacyHeading: 'Privacy policy', privacyText: 'What we keep.' }],
};

const dataOf = (shown: Site): PageData => ({
  site: shown,
  version: 1,
  publicUrl: 'https://agency.example',
  imageTexts: {},
  mapEmbedUrl: null,
  newsletterConsent: '',
  readAt: 0,
});

test.each([
  ['Landing', 'Climb the list | Northrank', 'We fix what holds a site back.'],
  ['Pricing', 'Pricing | Northrank', 'Basic $290.00, Premium $990.00 a month. For a start. For leaders.'],
  ['Service', 'Services | Northrank', 'All done by ourselves.'],
  ['Contact', 'Contact | Northrank', '14 Harbor Row · +1 207 · a@b.example'],
  ['Terms', 'Terms of service | Northrank', 'These terms apply.'],
  ['Privacy', 'Privacy policy | Northrank', 'What we keep.'],
] as const)('%s is described by its content', (name, title, description) => {
  expect(describePublicPage(name)(dataOf(site))).toMatchObject({ name, title, description, indexed: true });
});

describe.each(publicPageNames)('%s', (name) => {
  test('uses the title or the description that an admin wrote, and derives what the admin left out', () => {
    const derived = describePublicPage(name)(dataOf(site));
    const chosen = (fields: { title?: string; description?: string }) =>
      describePublicPage(name)(dataOf({ ...site, pageTitle: [{ _id, page: name, ...fields }] }));
    expect(chosen({ title: ' Our  own. ' })).toEqual({ ...derived, title: 'Our own.' });
    expect(chosen({ description: 'Typed\nby hand.' })).toEqual({ ...derived, description: 'Typed by hand.' });
    expect(chosen({})).toEqual(derived);
  });

  test('ignores the titles and descriptions of other pages', () => {
    const others = publicPageNames.filter((other) => other !== name);
    const pageTitle = others.map((page) => ({ _id, page, title: 'Another page', description: 'Another' }));
    expect(describePublicPage(name)(dataOf({ ...site, pageTitle }))).toEqual(
      describePublicPage(name)(dataOf(site)),
    );
  });

  test('has a title, and a canonical address, on a site without content', () => {
    const { title, canonical, description } = describePublicPage(name)(dataOf({}));
    expect(title).toMatch(/^[A-Z]\w+$/);
    expect(canonical).toBe(publicPages.find((page) => page.name === name)?.canonical);
    expect(description).toBeUndefined();
  });
});

test('the title of the landing page is the site’s name alone if there is no other content', () => {
  expect(
    describePublicPage('Landing')(dataOf({ footerAbout: [{ _id, aboutFooterText: 'Northrank' }] })).title,
  ).toBe('Northrank');
});

test.each([
  ['at a word', 'word '.repeat(60), /^(word )+word…$/],
  ['anywhere if it has no spaces', '検索'.repeat(200), /^(検索)+検?…$/],
  ['without splitting a character', 'x' + '😀'.repeat(200), /^x(😀)+…$/u],
])('a long text is truncated %s', (_how, bannerDetails, expected) => {
  const { description } = describePublicPage('Landing')(dataOf({ banner: [{ _id, bannerDetails }] }));
  expect(description).toMatch(expected);
  expect(description!.length).toBeLessThanOrEqual(160);
});

test('a screen is not indexed', () => {
  expect(describeScreen('Login')(dataOf(site))).toEqual({
    title: 'Login | Northrank',
    heading: 'Login',
    indexed: false,
  });
});
