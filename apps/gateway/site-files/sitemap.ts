import { recordsShownOn, sectionsShownOn } from '#libs/content-model';
import { escapeMarkup, type PublicPageName, publicPages, type SiteContentSnapshot } from '#libs/contracts';

/** Every public page with the last change of its content (sitemaps.org, protocol 0.9). */
export function sitemap(site: SiteContentSnapshot, siteUrl: string): string {
  // A page with two addresses, such as Contact, is listed once, with its canonical address.
  const pages = publicPages.filter(({ path, canonical }) => path === withoutTrailingSlash(canonical));
  const urls = pages.map(({ name, canonical }) => {
    const changedAt = lastChangeTime(site, name);
    const lastmod = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    return `<url><loc>${escapeMarkup(siteUrl + canonical)}</loc>${lastmod}</url>\n`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`
  );
}

const withoutTrailingSlash = (path: string) => path.replace(/(.)\/$/, '$1');

/** A deletion counts as a change. Undefined for a page that has never had content. */
function lastChangeTime(
  { sections, removedAt }: SiteContentSnapshot,
  name: PublicPageName,
): string | undefined {
  const times = sectionsShownOn(name).flatMap((section) => {
    const shown = recordsShownOn(name, section, sections[section.name] ?? []);
    return [...shown.map(({ updatedAt }) => updatedAt), removedAt[section.name] ?? []].flat();
  });
  // ISO 8601 in UTC sorts by time.
  return times.sort().at(-1);
}
