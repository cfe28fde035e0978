import { type PublicPageName, publicPageNames } from '#libs/contracts';
import { useWholeSite, usePageData } from '../lib/site.js';
import type { Values } from '../workspace/content-api.js';
import { describePublicPage } from './meta.js';

/** Search engines cut titles off here. */
const maxTitleLength = 60;

export function SearchResultPreview({ record }: { record: { _id: string } & Partial<Values> }) {
  const data = usePageData();
  const site = useWholeSite();
  const name = publicPageNames.find((page) => page === record.page);
  if (!site || !name) return null;
  const others = (site.pageTitle ?? []).filter(({ page }) => page !== name);
  const pageTitle = [...others, { ...record, page: name }] as typeof site.pageTitle;
  const { title, description, canonical } = describePublicPage(name)({
    ...data,
    site: { ...site, pageTitle },
  });
  return (
    <section className="preview" aria-labelledby="search-result-heading">
      <h2 id="search-result-heading">Preview</h2>
      <div className="search-result">
        <p className="search-result__address">{addressLine(data.publicUrl, canonical)}</p>
        <p className="search-result__title">{cut(title, maxTitleLength)}</p>
        <p className="search-result__text">{description ?? 'This page has no text to describe it yet.'}</p>
      </div>
      <p className="field__help">{originText(name, record)} Search engines may show different text.</p>
    </section>
  );
}

/** `www.example.com › pricing` */
function addressLine(publicUrl: string, path = '/'): string {
  return [new URL(publicUrl).host, ...path.split('/').filter(Boolean)].join(' › ');
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Never cuts inside a surrogate pair.
  const start = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}…`;
}

function originText(page: PublicPageName, { title, description }: Partial<Values>): string {
  if (title && description) return `This is how the ${page} page may look in search results.`;
  const derived = title
    ? 'The description is'
    : description
      ? 'The title is'
      : 'The title and description are';
  return `${derived} taken from the ${page} page.`;
}
