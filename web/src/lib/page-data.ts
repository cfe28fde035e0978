import type { AnswerOf } from './api.js';
import type { PageData, Site } from './site.js';

const bookkeepingFields = new Set(['createdAt', 'updatedAt', 'version']);

/** Leaves out the fields that only editors need. */
export function siteFromSections(sections: Record<string, unknown[]>): Site {
  const shown = Object.entries(sections)
    .filter(([, records]) => Array.isArray(records) && records.length > 0)
    .map(([name, records]) => [name, records.filter(isRecord).map(withoutBookkeeping)]);
  return Object.fromEntries(shown) as Site;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withoutBookkeeping(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !bookkeepingFields.has(name)));
}

/** `web/server/document.ts` writes the element. */
const pageDataElementId = 'page-data';

/**
 * JSON for a `<script>` that holds data: escaped so that nothing ends the element or opens a comment in it. U+2028 and U+2029 are line ends in older
 * JavaScript.
 */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const readTimeoutMs = 8_000;

/** Undefined if the content cannot be read. */
export async function readSiteContent(): Promise<
  Pick<PageData, 'site' | 'imageTexts' | 'version' | 'readAt'> | undefined
> {
  try {
    const response = await fetch('/site-content', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    if (!response.ok) return undefined;
    const { version, sections, imageTexts } = (await response.json()) as AnswerOf<'GET /site-content'>;
    return { site: siteFromSections(sections), imageTexts, version, readAt: Date.now() };
  } catch {
    return undefined;
  }
}

export function readEmbeddedPageData(): PageData {
  return JSON.parse(document.getElementById(pageDataElementId)?.textContent ?? '') as PageData;
}
