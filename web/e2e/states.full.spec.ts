import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections } from '#libs/content-model';
import { TestBrowser, testStack } from '#libs/testing';
import { findFaults, findSidewaysScroll } from './faults.js';
import { visit } from './visit.js';

type Sections = Record<string, Record<string, string>[]>;

const { url, services } = testStack();
const paths = ['/', '/pricing/', '/service/', '/contact', '/terms'];
const narrow = { width: 320, height: 640 };
const wide = { width: 1440, height: 900 };

const kinds = new Map(
  allSections.flatMap((section) =>
    Object.entries(section.fields).map(([name, { kind }]) => [`${section.name}.${name}`, kind] as const),
  ),
);
/** Fields by which pages look records up, or with which they calculate. */
const fixedFields = new Set(['packageName', 'stepNumber', 'packagePrice']);

/** Replaces every text, or every picture, except in `fixedFields`. `value` gets another number each time. */
function withEvery(kind: 'text' | 'image', sections: Sections, value: (nth: number) => string): Sections {
  let nth = 0;
  const isReplaced = (section: string, field: string) => {
    const fieldKind = kinds.get(`${section}.${field}`);
    return (
      !fixedFields.has(field) &&
      (kind === 'image' ? fieldKind === 'image' : fieldKind === 'text' || fieldKind === 'longText')
    );
  };
  return Object.fromEntries(
    Object.entries(sections).map(([name, records]) => [
      name,
      records.map((record) =>
        Object.fromEntries(
          Object.entries(record).map(([field, old]) => [
            field,
            isReplaced(name, field) ? value((nth += 1)) : old,
          ]),
        ),
      ),
    ]),
  );
}

const states: { state: string; content: (demo: Sections) => Sections }[] = [
  {
    state: 'long texts and endless words',
    content: (demo) =>
      withEvery(
        'text',
        demo,
        (nth) => `${nth}${'Donaudampfschifffahrtsgesellschaft'.repeat(4)} ${'and so on '.repeat(30)}`,
      ),
  },
  { state: 'texts of one word', content: (demo) => withEvery('text', demo, (nth) => `I${nth}`) },
  {
    state: 'right-to-left texts',
    content: (demo) => withEvery('text', demo, (nth) => `نص عربي قصير ${nth}`),
  },
  {
    state: 'pictures that do not load',
    content: (demo) => withEvery('image', demo, () => '/no/such/picture.png'),
  },
  { state: 'no content at all', content: () => ({}) },
];

let browser: TestBrowser;
let demo: Sections;

beforeAll(async () => {
  browser = await TestBrowser.open();
  const answer = await fetch(`${url}/site-content`, { headers: { accept: 'application/json' } });
  demo = ((await answer.json()) as { sections: Sections }).sections;
});
afterAll(async () => {
  await browser.close();
});

async function rendered(path: string, sections: Sections): Promise<string> {
  const renderer = services.web?.[0]?.url;
  if (!renderer) throw new Error('The stack names no renderer.');
  const body = JSON.stringify({ path, publicUrl: url, site: { version: 1, sections } });
  const response = await fetch(`${renderer}/render`, { method: 'POST', body });
  expect(response.status).toBe(200);
  return response.text();
}

describe.each(states)('with $state', ({ content }) => {
  test.each(paths)('%s has no faults when narrow, and no sideways scrolling when wide', async (path) => {
    const html = await rendered(path, content(demo));
    const page = await browser.openPage({ baseURL: url, reducedMotion: 'reduce', ...narrow });
    const crashes: string[] = [];
    page.on('pageerror', (error) => crashes.push(error.message));
    await page.route(url + path, (route) => route.fulfill({ body: html, contentType: 'text/html' }));
    await visit(page, path);
    expect(await findFaults(page)).toEqual([]);
    await page.setViewportSize(wide);
    expect(await findSidewaysScroll(page)).toEqual([]);
    expect(crashes).toEqual([]);
    await page.context().close();
  });
});
