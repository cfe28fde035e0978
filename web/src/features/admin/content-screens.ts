import { allSections, nameFields, type Section, sections } from '#libs/content-model';
import { publicPages } from '#libs/contracts';
import { isRecordId } from '../../lib/record-id.js';
import type { StoredRecord } from '../../workspace/content-api.js';
import { capitalize } from '../../workspace/formats.js';
import { contentAddresses, type ListedScreen, type ListedPart } from './content-addresses.js';

/** A section on a content screen, as `contentAddresses` describes it, with defaults for all but `editLinkLabel`. */
export interface ScreenPart
  extends Required<Omit<ListedPart, 'section' | 'editLinkLabel'>>, Pick<ListedPart, 'editLinkLabel'> {
  section: Section;
}

export interface ContentScreen extends Omit<ListedScreen, 'parts' | 'group'> {
  /** Undefined if the section is not in `contentAddresses`. */
  group?: string;
  parts: readonly ScreenPart[];
}

function partOf(section: Section, listed: Partial<ListedPart> = {}): ScreenPart {
  const { one, many } = section.labels;
  return {
    editPath: `/setting/${section.name}/:id`,
    editTitle: `Update ${one}`,
    saveLabel: listed.editTitle ?? `Update ${one}`,
    addHeading: `Add ${one}`,
    listHeading: capitalize(many),
    nameField: nameFields(section)[0] ?? '_id',
    ...listed,
    section,
  };
}

const listedScreens: readonly ContentScreen[] = contentAddresses.map((screen) => ({
  ...screen,
  parts: screen.parts.map((listed) => partOf(sections[listed.section], listed)),
}));

const listedNames = new Set(listedScreens.flatMap(({ parts }) => parts.map(({ section }) => section.name)));

const unlistedScreens: readonly ContentScreen[] = allSections
  .filter(({ name }) => !listedNames.has(name))
  .map((section) => {
    const name = capitalize(section.kind === 'singleton' ? section.labels.one : section.labels.many);
    const path = `/setting/${section.name}`;
    return { path, title: name, label: name, parts: [partOf(section)] };
  });

export const contentScreens: readonly ContentScreen[] = [...listedScreens, ...unlistedScreens];

/** The content screens that `/setting` shows first, in the specification's order. `furtherScreens` has the others. */
const mainPaths = [
  '/edit-banner',
  '/add-logo',
  '/edit-about',
  '/edit-work',
  '/edit-service',
  '/edit-counter',
  '/edit-faq',
  '/edit-testimonial',
  '/add-pricing',
  '/update-calltoaction',
  '/add-address-footer',
  '/add-social-footer',
  '/add-copyright',
];

export const mainScreens = mainPaths.map((path) => contentScreens.find((screen) => screen.path === path)!);
export const furtherScreens = contentScreens.filter((screen) => !mainPaths.includes(screen.path));

/** The address of the first public page that shows the section, if there is one. Page titles are not shown on the pages themselves. */
export function publicAddressOf({ shownOn, name }: Section): string | undefined {
  if (name === sections.pageTitle.name) return undefined;
  return publicPages.find((page) => page.name === shownOn?.[0])?.canonical;
}

export const nameOf = ({ section, nameField }: ScreenPart, record: StoredRecord): string =>
  record[nameField] || section.labels.one;

/** The name of the section's `onePer` field, if it has one: each of its options has at most one record. */
export const onePerFieldOf = (section: Section): string | undefined =>
  section.kind === 'collection' ? section.onePer : undefined;

/** For edit forms: a record's option of the `onePer` field cannot be changed. */
export function withoutOnePerField(section: Section): Section {
  const { [onePerFieldOf(section) ?? '']: _, ...fields } = section.fields;
  return { ...section, fields };
}

/** Leaves only those options of the `onePer` field that have no record yet. */
export function withFreeOptions(section: Section, records: readonly StoredRecord[]): Section {
  const name = onePerFieldOf(section);
  const field = name === undefined ? undefined : section.fields[name];
  if (name === undefined || !field) return section;
  const options = field.options?.filter((option) => !records.some((record) => record[name] === option));
  return { ...section, fields: { ...section.fields, [name]: { ...field, options } } };
}

export const editAddressOf = ({ editPath }: ScreenPart, id: string): string => editPath.replace(':id', id);

/** For the path of a record's edit screen, `part` and `id` are set, and `screen` is the content screen that lists the record. */
export function findContentScreen(
  pathname: string,
): { screen: ContentScreen; part?: ScreenPart; id?: string } | undefined {
  const path = pathname.replace(/\/$/, '');
  const screen = contentScreens.find((candidate) => candidate.path === path);
  if (screen) return { screen };
  const cut = path.lastIndexOf('/');
  const id = path.slice(cut + 1);
  if (!isRecordId(id)) return undefined;
  const pattern = `${path.slice(0, cut)}/:id`;
  for (const candidate of contentScreens) {
    const part = candidate.parts.find(({ editPath }) => editPath === pattern);
    if (part) return { screen: candidate, part, id };
  }
  return undefined;
}
