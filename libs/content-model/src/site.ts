import { type PublicPageName, uploadedImageIdIn } from '#libs/contracts';
import type { Section } from './section.js';
import * as contactAndFooter from './sections/contact-and-footer.js';
import * as headerAndLanding from './sections/header-and-landing.js';
import * as mails from './sections/mails.js';
import * as offering from './sections/offering.js';
import * as pageTitles from './sections/page-titles.js';

export const sections = {
  ...headerAndLanding,
  ...offering,
  ...contactAndFooter,
  ...pageTitles,
  ...mails,
} as const;

export type SectionName = keyof typeof sections;

export const allSections: readonly Section[] = Object.values(sections);

export function findSection(name: string): Section | undefined {
  return Object.hasOwn(sections, name) ? sections[name as SectionName] : undefined;
}

export const publicSections: readonly Section[] = allSections.filter(({ shownOn }) => shownOn !== undefined);

/** A change of one of these sections can change the page. */
export function sectionsShownOn(page: PublicPageName): readonly Section[] {
  return allSections.filter(({ shownOn }) => shownOn?.includes(page));
}

/** All, except that a page gets only its own `pageTitle`, and a screen (`page` is undefined) gets none. */
export function recordsShownOn<R>(
  page: PublicPageName | undefined,
  { name }: Section,
  records: readonly R[],
): readonly R[] {
  return name === sections.pageTitle.name
    ? records.filter((record) => (record as { page?: unknown }).page === page)
    : records;
}

/** The alternative texts of the uploaded pictures in these records, by picture id. `imageTexts` has all texts of the site. */
export function imageTextsOf(
  shown: Readonly<Record<string, readonly unknown[]>>,
  imageTexts: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = Object.values(shown)
    .flat()
    .flatMap((record) => Object.values(record as object) as unknown[]);
  const ids = new Set(
    values.flatMap((value) => (typeof value === 'string' ? (uploadedImageIdIn(value) ?? []) : [])),
  );
  return Object.fromEntries(Object.entries(imageTexts).filter(([id]) => ids.has(id)));
}
