import type { ContentSetup, ContentStep } from '#libs/contracts';
import { packageNames, type SectionName } from '#libs/content-model';
import type { EntryEntity } from '../entry/entry.entity.js';

/** `entry` is undefined while the record is missing. */
interface NeededRecord {
  section: SectionName;
  entry: EntryEntity | undefined;
  /** Whether the text that the step is about is missing. */
  lacksText?: boolean;
}

type EntriesOf = (section: SectionName) => readonly EntryEntity[];

const firstRecordOf = (section: SectionName, entriesOf: EntriesOf): NeededRecord => ({
  section,
  entry: entriesOf(section)[0],
});

const neededRecords: Record<ContentStep, (entriesOf: EntriesOf) => NeededRecord[]> = {
  siteName: (entriesOf) => [firstRecordOf('siteName', entriesOf)],
  logo: (entriesOf) => [firstRecordOf('logo', entriesOf)],
  prices: (entriesOf) =>
    packageNames.map((name) => ({
      section: 'pricingPackage',
      entry: entriesOf('pricingPackage').find(({ body }) => body.packageName === name),
    })),
  team: (entriesOf) => {
    const members = entriesOf('teamMember').map((entry) => ({ section: 'teamMember', entry }) as const);
    return members.length > 0 ? members : [firstRecordOf('teamMember', entriesOf)];
  },
  legalTexts: (entriesOf) => [firstRecordOf('terms', entriesOf), firstRecordOf('privacy', entriesOf)],
  // The guide asks only for the title of the landing page.
  pageTitles: (entriesOf) => {
    const entry = entriesOf('pageTitle').find(({ body }) => body.page === 'Landing');
    return [{ section: 'pageTitle', entry, lacksText: !entry?.body.title }];
  },
};

/** The steps of the setup guide that are about content. `demoIds` are the ids of the records that are still demo content. */
export function contentSteps(entriesOf: EntriesOf, demoIds: ReadonlySet<string>): ContentSetup['steps'] {
  const steps = Object.entries(neededRecords).map(([step, recordsOf]) => [
    step,
    stateOf(recordsOf(entriesOf), demoIds),
  ]);
  return Object.fromEntries(steps) as ContentSetup['steps'];
}

/** The step's state, and the section or record that its link opens. */
function stateOf(
  records: readonly NeededRecord[],
  demoIds: ReadonlySet<string>,
): ContentSetup['steps'][ContentStep] {
  const missing = records.find(({ entry, lacksText }) => !entry || lacksText);
  const stillDemo = records.find(({ entry }) => entry && demoIds.has(entry.id));
  const { section, entry } = missing ?? stillDemo ?? records[0]!;
  return { state: missing ? 'missing' : stillDemo ? 'demo' : 'done', section, recordId: entry?.id ?? null };
}
