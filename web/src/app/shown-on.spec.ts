import { beforeAll, describe, expect, test } from '@jest/globals';
import { allSections, type Section, sectionsShownOn } from '#libs/content-model';
import { publicPageNames, publicPages } from '#libs/contracts';
import { sampleBody } from '#libs/testing';
import { renderFrom, renderPage } from '../entry-server.js';
import type { RenderedPage } from '../lib/rendering.js';
import type { PageData, Site } from '../lib/site.js';

/** Records with another `mark` have other values, except those that a page needs in order to show the record. */
function records(section: Section, mark: 'a' | 'b'): Record<string, string>[] {
  const body = { _id: `${section.name}-1`, ...sampleBody(section, mark) };
  if ('stepNumber' in body) return [{ ...body, stepNumber: '1' }];
  if ('packageName' in body)
    return [{ ...body, packageName: 'Basic', packagePrice: mark === 'a' ? '1' : '2' }];
  if ('page' in body) return publicPageNames.map((page) => ({ ...body, page }));
  return [body];
}

const site = Object.fromEntries(allSections.map((section) => [section.name, records(section, 'a')]));

/** These links contain the heading of a legal text. `shownOn` does not count that as showing the text. */
const linksToLegalTexts = /<a [^>]*href="\/(?:terms|privacy)"[^>]*>.*?<\/a>/g;

function shown({ meta, markup, preloads, structuredData }: RenderedPage): string {
  return JSON.stringify([meta, markup.replace(linksToLegalTexts, ''), preloads, structuredData]);
}

const fromWholeSite = (path: string, sections: Record<string, unknown[]>): Promise<RenderedPage> => {
  const facts = {
    publicUrl: 'https://agency.example',
    mapEmbedUrl: null,
    newsletterConsent: '',
    imageTexts: {},
  };
  const data: PageData = { ...facts, site: sections as Site, version: 1, readAt: 0 };
  return renderFrom(data, path);
};

const originals = new Map<string, string>();
beforeAll(async () => {
  for (const { path } of publicPages) originals.set(path, shown(await fromWholeSite(path, site)));
});

const cases = publicPages.flatMap((page) => allSections.map((section) => ({ ...page, section })));

test.each(cases)(
  '$path shows $section.name if and only if `shownOn` of the section names the page',
  async ({ path, name, section }) => {
    const changed = { ...site, [section.name]: records(section, 'b') };
    const isShown = shown(await fromWholeSite(path, changed)) !== originals.get(path);
    expect(isShown).toBe(sectionsShownOn(name).includes(section));
  },
);

describe.each(publicPages)('the data block of $path', ({ path, name }) => {
  const rendered = () =>
    renderPage({
      path,
      publicUrl: 'https://agency.example',
      mapEmbedUrl: null,
      content: { version: 1, sections: site },
    });

  test('is enough: the page rendered from it is the same as from all content', async () => {
    const { markup, structuredData, meta } = await rendered();
    const whole = await fromWholeSite(path, site);
    expect([markup, structuredData, meta]).toEqual([whole.markup, whole.structuredData, whole.meta]);
  });

  test('has what the page shows; of a legal text that the page does not show, it has only the heading', async () => {
    const embedded = JSON.parse((await rendered()).data) as PageData;
    const linked = allSections.filter(({ linkText }) => linkText).map((section) => section.name);
    const expected = [...sectionsShownOn(name).map((section) => section.name), ...linked];
    expect(Object.keys(embedded.site).sort()).toEqual([...new Set(expected)].sort());
    expect(embedded.site.pageTitle?.map(({ page }) => page)).toEqual([name]);
    const texts = [embedded.site.terms?.[0]?.termsText, embedded.site.privacy?.[0]?.privacyText];
    expect(texts.map(Boolean)).toEqual([name === 'Terms', name === 'Privacy']);
  });
});
