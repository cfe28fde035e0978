import { publicSections, recordsShownOn, type Section } from '#libs/content-model';
import { type PublicPageName, publicPageNames } from '#libs/contracts';

type Records = readonly Record<string, unknown>[];

/** Without a `page`, returns only what the header and the footer show, because a screen needs nothing else. */
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
  // A section on every public page is part of the header or the footer. The exception is `pageTitle`, of which a screen gets no record.
  const isShown = page ? shownOn.includes(page) : shownOn.length === publicPageNames.length;
  if (isShown) return recordsShownOn(page, section, records);
  // The footer links to the page of this section, and the link needs only this text.
  return linkText ? records.map(({ _id, [linkText]: text }) => ({ _id, [linkText]: text })) : [];
}
