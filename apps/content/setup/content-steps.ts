import type { ContentSetup, ContentStep } from '#libs/contracts';
import { packageNames, type SectionName } from '#libs/content-model';
import type { EntryEntity } from '../entry/entry.entity.js';

/** A record that a step needs, and its section. `entry` is undefined while the record is missing. */
interface Needed {
  section: SectionName;
  entry: EntryEntity | undefined;
}

/** Reads the entries of a section. */
type Read = (section: SectionName) => readonly EntryEntity[];

const first =
  (section: SectionName) =>
  (read: Read): Needed => ({ section, entry: read(section)[0] });

/** The records that each step is about. */
const needed: Record<ContentStep, (read: Read) => Needed[]> = {
  siteName: (read) => [first('siteName')(read)],
  logo: (read) => [first('logo')(read)],
  prices: (read) =>
    packageNames.map((name) => ({
      section: 'pricingPackage',
      entry: read('pricingPackage').find(({ body }) => body.packageName === name),
    })),
  team: (read) => {
    const members = read('teamMember').map((entry) => ({ section: 'teamMember', entry }) as const);
    return members.length > 0 ? members : [first('teamMember')(read)];
  },
  legalTexts: (read) => [first('terms')(read), first('privacy')(read)],
  pageTitles: (read) => [{ section: 'pageTitle', entry: read('pageTitle').find(hasLandingTitle) }],
};

const hasLandingTitle = ({ body }: EntryEntity) => body.page === 'Landing' && Boolean(body.title);

/** The state of each step about content. `demo` holds the ids of the records that are still demo. */
export function contentSteps(read: Read, demo: ReadonlySet<string>): ContentSetup['steps'] {
  const steps = Object.entries(needed).map(([step, recordsOf]) => [step, stateOf(recordsOf(read), demo)]);
  return Object.fromEntries(steps) as ContentSetup['steps'];
}

function stateOf(records: readonly Needed[], demo: ReadonlySet<string>): ContentSetup['steps'][ContentStep] {
  const missing = records.find(({ entry }) => entry === undefined);
  const stillDemo = records.find(({ entry }) => entry && demo.has(entry.id));
  const { section, entry } = missing ?? stillDemo ?? records[0]!;
  return { state: missing ? 'missing' : stillDemo ? 'demo' : 'done', section, recordId: entry?.id ?? null };
}
