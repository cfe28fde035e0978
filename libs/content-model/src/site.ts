import type { RecordOf, Section } from './section.js';
import * as findable from './sections/findable.js';
import * as frame from './sections/frame.js';
import * as landing from './sections/landing.js';
import * as mails from './sections/mails.js';
import * as offering from './sections/offering.js';

/** Every content section, by name. A new one is a declaration plus an entry in its file; all else derives. */
export const sections = { ...landing, ...offering, ...frame, ...findable, ...mails } as const;

export type SectionName = keyof typeof sections;

export const allSections: readonly Section[] = Object.values(sections);

export function findSection(name: string): Section | undefined {
  return Object.hasOwn(sections, name) ? sections[name as SectionName] : undefined;
}

/** All public content, typed by the declarations. A singleton is a list of at most one record, as on the wire. */
export type SiteContent = { [N in SectionName]: RecordOf<(typeof sections)[N]>[] };

/** A site without any record: what a page renders from before the first admin has written anything. */
export function emptySite(): SiteContent {
  return Object.fromEntries(allSections.map(({ name }) => [name, []])) as unknown as SiteContent;
}
