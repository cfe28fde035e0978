import { expect, test } from '@jest/globals';
import { siteNameOf } from './site-name.js';

const footerAbout = [{ aboutFooterText: 'Footer\n heading' }];

test.each([
  ['the setting', { siteName: [{ siteName: ' Summit\nPeak ' }], footerAbout }, 'Summit Peak'],
  ['the footer’s heading, if the setting is missing', { siteName: [], footerAbout }, 'Footer heading'],
  [
    'the footer’s heading, if the setting is blank',
    { siteName: [{ siteName: ' ' }], footerAbout },
    'Footer heading',
  ],
  ['nothing on a site without content', {}, undefined],
])('the site’s name is %s', (_, site, name) => {
  expect(siteNameOf(site)).toBe(name);
});
