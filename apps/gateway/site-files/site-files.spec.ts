import { describe, expect, test } from '@jest/globals';
import {
  aboutEditShell,
  privateShells,
  publicPages,
  type ContentRecord,
  type SiteContentSnapshot,
} from '#libs/contracts';
import { disallowedPrefixes, robots } from './robots.js';
import { sitemap } from './sitemap.js';
import { webManifest } from './web-manifest.js';

const origin = 'https://agency.example';
const canonicals = [...new Set(publicPages.map(({ canonical }) => canonical))];

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const record = (updated: number, fields: Record<string, string> = {}): ContentRecord => ({
  _id: `${updated}`,
  createdAt: day(1),
  updatedAt: day(updated),
  version: 1,
  ...fields,
});

const site = (
  sections: Record<string, ContentRecord[]>,
  removedAt: Record<string, string> = {},
): SiteContentSnapshot => ({ version: 1, sections, imageTexts: {}, removedAt });

function entriesOf(xml: string): Record<string, string | undefined> {
  const urls = [...xml.matchAll(/<url><loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/url>/g)];
  return Object.fromEntries(urls.map(([, loc, lastmod]) => [loc!.replace(origin, ''), lastmod]));
}
const lastmods = (...content: Parameters<typeof site>) => entriesOf(sitemap(site(...content), origin));

describe('the sitemap', () => {
  test('has each public page once, at its canonical address, and nothing else', () => {
    const xml = sitemap(site({}), origin);
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org/,
    );
    expect(Object.keys(entriesOf(xml)).sort()).toEqual([...canonicals].sort());
    expect(xml.match(/<loc>/g)).toHaveLength(canonicals.length);
  });

  test('has no lastmod for a page that has never had content', () => {
    expect(new Set(Object.values(lastmods({})))).toEqual(new Set([undefined]));
  });

  test('has the last change of a page’s content as its lastmod', () => {
    const changes = lastmods({
      footerAbout: [record(2)],
      banner: [record(3)],
      serviceItem: [record(9), record(7)],
      pricingPackage: [record(4), record(5), record(1)],
      terms: [record(6)],
      // Public pages do not show this section.
      designItem: [record(20)],
    });
    expect(changes).toEqual({
      '/': day(9),
      '/pricing/': day(5),
      '/service/': day(9),
      '/contact': day(2),
      '/terms': day(6),
      '/privacy': day(2),
    });
  });

  test('a changed page title affects its own page only', () => {
    const changes = lastmods({ logo: [record(2)], pageTitle: [record(3, { page: 'Terms' })] });
    expect(changes).toMatchObject({ '/terms': day(3), '/': day(2), '/privacy': day(2) });
  });

  test('a deletion counts as a change', () => {
    const changes = lastmods({ faqItem: [record(2)] }, { faqItem: day(8), designItem: day(9) });
    expect(changes).toMatchObject({ '/': day(8), '/pricing/': undefined });
  });

  test('an address is escaped', () => {
    expect(sitemap(site({}), 'https://agency.example/a&b')).toContain(
      '<loc>https://agency.example/a&#38;b/</loc>',
    );
  });
});

describe('robots.txt', () => {
  const isDisallowed = (path: string) => disallowedPrefixes.some((prefix) => path.startsWith(prefix));

  test('names the sitemap, and has a line for each disallowed prefix', () => {
    const lines = robots(origin).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toContain(`Sitemap: ${origin}/sitemap.xml`);
    for (const prefix of disallowedPrefixes) expect(lines).toContain(`Disallow: ${prefix}`);
  });

  test.each([
    ...publicPages.map(({ path }) => path),
    ...canonicals,
    ...['/login', '/register', '/reset', '/verify-email'],
  ])('%s may be crawled', (path) => {
    expect(isDisallowed(path)).toBe(false);
  });

  test.each(['/assets/a.js', '/demo/logo.svg', '/previews/landing-0123456789abcdef.png', '/favicon.svg'])(
    '%s may be fetched',
    (path) => {
      expect(isDisallowed(path)).toBe(false);
    },
  );

  test.each(['/admin', '/admin/payment-status/1', '/dashboard', '/order-now/1', '/pay-now/1', '/auth/me'])(
    '%s must not be crawled',
    (path) => {
      expect(isDisallowed(path)).toBe(true);
    },
  );

  test('disallows prefixes of paths instead of listing every screen', () => {
    const screens: readonly string[] = [...privateShells, aboutEditShell];
    expect(disallowedPrefixes.length).toBeLessThan(screens.length / 3);
  });
});

describe('the web manifest', () => {
  const read = (content: SiteContentSnapshot) => JSON.parse(webManifest(content, origin)) as { name: string };

  test('has the site’s name, or else the footer’s heading, or else the host', () => {
    const footerAbout = [record(1, { aboutFooterText: 'Footer' })];
    expect(read(site({ siteName: [record(1, { siteName: ' New\nName ' })], footerAbout })).name).toBe(
      'New Name',
    );
    expect(read(site({ footerAbout: [record(1, { aboutFooterText: 'North "rank"' })] })).name).toBe(
      'North "rank"',
    );
    expect(read(site({})).name).toBe('agency.example');
  });
});
