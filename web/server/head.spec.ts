import { describe, expect, test } from '@jest/globals';
import { publicPageNames, publicPages } from '#libs/contracts';
import { allSections, type Section } from '#libs/content-model';
import { sampleBody } from '#libs/testing';
import { renderPage } from '../src/entry-server.js';
import { documentOf } from './document.js';

const origin = 'https://agency.example';
const files = { boot: '/assets/boot.js', modules: [], styles: [], font: '/assets/font.woff2' };

async function documentAt(path: string, sections: Record<string, unknown[]>): Promise<string> {
  const content = { version: 1, sections };
  return documentOf(await renderPage({ path, publicUrl: origin, mapEmbedUrl: null, content }), files, origin);
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** Parses a document's head, which must contain nothing but elements. */
function parseHead(html: string) {
  const head = /<head>(.*?)<\/head><body>/s.exec(html)![1]!;
  const tags: { name: string; attributes: Record<string, string>; text: string }[] = [];
  let rest = head;
  while (rest) {
    const tag = /^<(\w+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/i.exec(rest);
    if (!tag) throw new Error(`Not a tag: ${rest.slice(0, 200)}`);
    rest = rest.slice(tag[0].length);
    const name = tag[1]!;
    let text = '';
    if (name === 'title' || name === 'script') {
      const end = rest.indexOf(`</${name}`);
      text = rest.slice(0, end);
      rest = rest.slice(end + name.length + 3);
    }
    const attributes = Object.fromEntries(
      [...tag[2]!.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].map(([, key, value]) => [
        key!,
        decoded(value ?? ''),
      ]),
    );
    tags.push({ name, attributes, text: decoded(text) });
  }
  const meta = (key: string) =>
    tags.find(({ attributes }) => attributes.name === key || attributes.property === key)?.attributes.content;
  return { tags, meta, title: tags.find(({ name }) => name === 'title')?.text };
}

/** Every text is the attack, except for a package's name, by which the pricing page finds the package. */
function siteSaying(attack: string): Record<string, unknown[]> {
  const bodyOf = (section: Section) =>
    Object.fromEntries(
      Object.entries(sampleBody(section)).map(([field, value]) => {
        const { kind } = section.fields[field]!;
        return [field, kind === 'text' || kind === 'longText' ? attack : value];
      }),
    );
  const sections = Object.fromEntries(
    allSections.map((section) => [section.name, [{ _id: `${section.name}-1`, ...bodyOf(section) }]]),
  );
  const [pricing] = sections.pricingPackage!;
  return { ...sections, pricingPackage: [{ ...pricing, packageName: 'Basic' }] };
}

describe.each([
  ['a closing script tag', '</script><script>alert(1)</script>'],
  ['closing title and head tags', '</title></head><body onload="alert(1)"><img src=x onerror=alert(1)>'],
  ['quotes', `"><script>alert(1)</script><meta http-equiv="refresh" content='0;url=https://evil.example'>`],
  ['comments', '<!--<script>--!>]]>'],
  ['line separators', 'one\u2028two\u2029three'],
  ['text from right to left', '\u202eשלום עולם\u202c "ok"'],
  ['entities', '&lt;script&gt; &quot; &#34;&#x22;'],
])('%s in every text of the site', (_what, attack) => {
  const plain = attack.replace(/\s+/g, ' ').trim();

  test.each(publicPages)('stays text in the head of $path', async ({ path, name }) => {
    const site = siteSaying(attack);
    for (const pageTitle of [[], [{ _id: 'p', page: name, title: attack, description: attack }]]) {
      const html = await documentAt(path, { ...site, pageTitle });
      const head = parseHead(html);
      expect(head.tags.map((tag) => tag.name).filter((tag) => !['meta', 'link'].includes(tag))).toEqual([
        'title',
        'script',
        'script',
      ]);
      expect(head.title).toContain(plain);
      expect(head.meta('og:title')).toBe(head.title);
      expect(head.meta('og:description')).toBe(head.meta('description'));
      if (pageTitle.length > 0) expect(head.meta('description')).toContain(plain);
      expect(head.tags.some(({ attributes }) => 'http-equiv' in attributes || 'onload' in attributes)).toBe(
        false,
      );
      const links = head.tags
        .filter(({ name: tag }) => tag === 'link')
        .map(({ attributes }) => attributes.href);
      for (const href of links) expect(href).toMatch(/^(\/|https:\/\/agency\.example\/)/);
      // The only scripts are the module and the two data blocks. The data still contains the attack, as text.
      expect(html.match(/<script/g)).toHaveLength(3);
      const blocks = [...html.matchAll(/<script type="application\/(?:ld\+)?json"[^>]*>(.*?)<\/script>/gs)];
      expect(blocks).toHaveLength(2);
      const organization = (JSON.parse(blocks[0]![1]!) as { '@graph': Record<string, unknown>[] })[
        '@graph'
      ][0];
      expect(organization).toMatchObject({ '@type': 'Organization', telephone: attack });
      expect(blocks.map(([block]) => block).join('')).not.toMatch(/[\u2028\u2029]/);
    }
  });
});

describe('the head of a document', () => {
  const sampleSite = Object.fromEntries(
    allSections.map((section) => [section.name, [{ _id: `${section.name}-1`, ...sampleBody(section) }]]),
  );
  // Without page titles, because the sample record would replace the title of one page.
  sampleSite.pageTitle = [];

  test.each(publicPages)(
    '$path has its canonical address, and the title and picture of its link preview',
    async ({ path, canonical, name }) => {
      const { tags, meta, title } = parseHead(await documentAt(path, sampleSite));
      const link = (rel: string) =>
        tags.filter(({ attributes }) => attributes.rel === rel).map((t) => t.attributes);
      expect(title).toMatch(/^\w.* \| siteName a$/);
      expect(link('canonical')).toEqual([{ rel: 'canonical', href: origin + canonical }]);
      expect(meta('robots')).toBe('index, follow');
      expect({
        type: meta('og:type'),
        url: meta('og:url'),
        title: meta('og:title'),
        siteName: meta('og:site_name'),
        imageType: meta('og:image:type'),
        width: meta('og:image:width'),
        height: meta('og:image:height'),
        card: meta('twitter:card'),
      }).toEqual({
        type: 'website',
        url: origin + canonical,
        title,
        siteName: 'siteName a',
        imageType: 'image/png',
        width: '1200',
        height: '630',
        card: 'summary_large_image',
      });
      expect(meta('og:image')).toMatch(
        new RegExp(`^${origin}/previews/${name.toLowerCase()}-[0-9a-f]{16}\\.png$`),
      );
      expect(meta('og:image:alt')).toContain('siteName a');
    },
  );

  test('both addresses of the contact page have the same head', async () => {
    const [contact, twin] = await Promise.all(
      ['/contact', '/contact-us'].map((path) => documentAt(path, sampleSite)),
    );
    expect(parseHead(twin!).tags).toEqual(parseHead(contact!).tags);
  });

  test('no two pages have the same title or the same description', async () => {
    const heads = await Promise.all(
      publicPageNames.map(async (name) => {
        const { path } = publicPages.find((page) => page.name === name)!;
        return parseHead(await documentAt(path, sampleSite));
      }),
    );
    expect(new Set(heads.map(({ title }) => title)).size).toBe(publicPageNames.length);
    const descriptions = heads.flatMap(({ meta }) => meta('description') ?? []);
    expect(descriptions.length).toBeGreaterThan(1);
    expect(new Set(descriptions).size).toBe(descriptions.length);
  });

  test.each(['/login', '/nowhere', '/dashboard'])('%s is kept out of search engines', async (path) => {
    const { tags, meta } = parseHead(await documentAt(path, sampleSite));
    expect(meta('robots')).toBe('noindex');
    expect(meta('og:image')).toBeUndefined();
    expect(tags.some(({ attributes }) => attributes.rel === 'canonical')).toBe(false);
    expect(tags.some(({ attributes }) => attributes.type === 'application/ld+json')).toBe(false);
  });
});
