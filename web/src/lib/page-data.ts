import type { PageData, Site } from './site.js';

/** `GET /site-content`, and the same part of a render request. */
interface SiteContentAnswer {
  version: number;
  sections: Record<string, unknown[]>;
  imageTexts: Record<string, string>;
}

const bookkeeping = new Set(['createdAt', 'updatedAt', 'version']);

/** Records as pages see them, without what only their editors need. */
export function shownSite(sections: Record<string, unknown[]>): Site {
  const shown = Object.entries(sections)
    .filter(([, records]) => Array.isArray(records) && records.length > 0)
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
const pageDataElementId = 'page-data';

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

/** All public content; undefined when it cannot be had. */
export async function readSite(): Promise<
  Pick<PageData, 'site' | 'imageTexts' | 'version' | 'readAt'> | undefined
> {
  try {
    const response = await fetch('/site-content', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    if (!response.ok) return undefined;
    const { version, sections, imageTexts } = (await response.json()) as SiteContentAnswer;
    return { site: shownSite(sections), imageTexts, version, readAt: Date.now() };
  } catch {
    return undefined;
  }
}

/** The content that the server rendered the page from. */
export function embeddedPageData(): PageData {
  return JSON.parse(document.getElementById(pageDataElementId)?.textContent ?? '') as PageData;
}
