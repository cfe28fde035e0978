import { beforeAll, expect, test } from '@jest/globals';
import { allSections, type Section, sectionsShownOn } from '#libs/content-model';
import { publicPageNames, publicPages } from '#libs/contracts';
import { sampleBody } from '#libs/testing';
import { renderPage } from '../entry-server.js';

/** Records of a section in which every text says `mark`, and which pages would show. */
function records(section: Section, mark: string): Record<string, string>[] {
  const body = { _id: `${section.name}-1`, ...sampleBody(section, mark) };
  if ('stepNumber' in body) return [{ ...body, stepNumber: '1' }];
  if ('packageName' in body)
    return [{ ...body, packageName: 'Basic', packagePrice: mark === 'a' ? '1' : '2' }];
  if ('page' in body) return publicPageNames.map((page) => ({ ...body, page }));
  return [body];
}

const site = Object.fromEntries(allSections.map((section) => [section.name, records(section, 'a')]));

/** The words of a link are those of the page it leads to, and no change of the page it stands on. */
const linksToLegalTexts = /<a [^>]*href="\/(?:terms|privacy)"[^>]*>.*?<\/a>/g;

/** What readers and search engines are shown: everything but the data block, which all pages share. */
async function shown(path: string, sections: Record<string, unknown[]>): Promise<string> {
  const content = { version: 1, sections };
  const page = await renderPage({ path, publicUrl: 'https://agency.example', mapEmbedUrl: null, content });
  const markup = page.markup.replace(linksToLegalTexts, '');
  return JSON.stringify([page.meta, markup, page.preloads, page.structuredData]);
}

const unchanged = new Map<string, string>();
beforeAll(async () => {
  for (const { path } of publicPages) unchanged.set(path, await shown(path, site));
});

const cases = publicPages.flatMap((page) => allSections.map((section) => ({ ...page, section })));

test.each(cases)('$path and $section.name', async ({ path, name, section }) => {
  const changed = { ...site, [section.name]: records(section, 'b') };
  const isShown = (await shown(path, changed)) !== unchanged.get(path);
  expect(isShown).toBe(sectionsShownOn[name].some((shownSection) => shownSection === section.name));
});
