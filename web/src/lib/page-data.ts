import type { SectionName } from '#libs/content-model';
import type { PageData, Site } from './site.js';

/** `GET /site-content`, and the same part of a render request. */
export interface SiteContentAnswer {
  version: number;
  sections: Record<string, unknown[]>;
  imageTexts: Record<string, string>;
}

/** Sections that no public page shows. */
const notShown: readonly string[] = ['designItem'] satisfies SectionName[];
const bookkeeping = new Set(['createdAt', 'updatedAt', 'version']);

/** What public pages show, and nothing else: it is embedded in every page. */
export function shownSite(sections: Record<string, unknown[]>): Site {
  const shown = Object.entries(sections)
    .filter(([name, records]) => !notShown.includes(name) && Array.isArray(records) && records.length > 0)
    .map(([name, records]) => [name, records.filter(isRecord).map(withoutBookkeeping)]);
  return Object.fromEntries(shown) as Site;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withoutBookkeeping(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !bookkeeping.has(name)));
}

/** The id of the element that carries the page data in the HTML. */
export const pageDataElementId = 'page-data';

/**
 * JSON for a `<script type="application/json">`: nothing in it can end the element or open a comment in it, and
 * the two line separators that are no line ends in JSON but were in JavaScript are escaped as well.
 */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const readTimeoutMs = 8_000;

/** The current content, or `known` again when it cannot be had: an old page is better than none. */
export async function refreshedPageData(known: PageData): Promise<PageData> {
  try {
    const response = await fetch('/site-content', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    if (!response.ok) return triedAgain(known);
    const { version, sections, imageTexts } = (await response.json()) as SiteContentAnswer;
    return { ...known, site: shownSite(sections), imageTexts, version, readAt: Date.now() };
  } catch {
    return triedAgain(known);
  }
}

/** Not asked again at once, but like content that was read just now. */
const triedAgain = (known: PageData): PageData => ({ ...known, readAt: Date.now() });

/** The content that the server rendered from. Its age counts from now: the HTML does not say when it was made. */
export function embeddedPageData(): PageData {
  const data = JSON.parse(document.getElementById(pageDataElementId)?.textContent ?? '') as PageData;
  return data.version === null ? data : { ...data, readAt: Date.now() };
}
