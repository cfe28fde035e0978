import { publicSections, recordsShownOn, type Section } from '#libs/content-model';
import { type PublicPageName, publicPageNames } from '#libs/contracts';

type Records = readonly Record<string, unknown>[];

/** The part of the content that a public page shows; for screens and all other pages, what header and footer show. */
export function contentOfPage(
  page: PublicPageName | undefined,
  sections: Readonly<Record<string, readonly unknown[]>>,
): Record<string, unknown[]> {
  const shown = publicSections.map((section) => [
    section.name,
    shownRecords(page, section, (sections[section.name] ?? []) as Records),
  ]);
  return Object.fromEntries(shown) as Record<string, unknown[]>;
}

function shownRecords(page: PublicPageName | undefined, section: Section, records: Records): Records {
  const { shownOn = [], linkText } = section;
  const isShown = page ? shownOn.includes(page) : shownOn.length === publicPageNames.length;
  if (isShown) return recordsShownOn(page, section, records);
  return linkText ? records.map(({ _id, [linkText]: text }) => ({ _id, [linkText]: text })) : [];
}
