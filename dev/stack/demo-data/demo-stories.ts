import type { BriefAnswers, ProjectTemplateInput } from '#libs/contracts';
import type { DemoOrder } from './demo-history.js';

export type DemoStep =
  | { brief: BriefAnswers; complete: boolean }
  | { customer: string }
  | { staff: string }
  | { note: string }
  | { deliver: string; links?: string[]; file?: { name: string; text: string } }
  | { accept: true }
  | { requestChanges: string }
  /** Staff continue after a request for changes. */
  | { resume: true }
  /** Staff pause the work, for this reason. */
  | { hold: string }
  | { labels: string[] }
  | { assign: true };

/** The story of the order that `who` placed `daysAgo` days ago. */
export interface DemoStory {
  who: DemoOrder['who'];
  daysAgo: DemoOrder['daysAgo'];
  /** From the payment to the last step. */
  durationHours: number;
  steps: readonly DemoStep[];
}

const siteQuestions: ProjectTemplateInput['questions'] = [
  {
    id: 'site',
    label: 'Which site should we work on?',
    help: 'The address of its home page.',
    kind: 'url',
    required: true,
    options: [],
  },
  {
    id: 'business',
    label: 'What do you sell, and to whom?',
    help: 'Two or three sentences are enough.',
    kind: 'long_text',
    required: true,
    options: [],
  },
  {
    id: 'region',
    label: 'Where are your customers?',
    help: '',
    kind: 'choice',
    required: true,
    options: ['In our town', 'In our country', 'In several countries'],
  },
];

const researchQuestions: ProjectTemplateInput['questions'] = [
  {
    id: 'competitors',
    label: 'Which competitors do you meet in search results?',
    help: 'Names or addresses, one per line.',
    kind: 'long_text',
    required: false,
    options: [],
  },
  {
    id: 'tools',
    label: 'Which of these do you use?',
    help: 'We will ask for access to them later.',
    kind: 'choices',
    required: false,
    options: ['Google Search Console', 'Google Analytics', 'Google Business Profile', 'None of these'],
  },
];

export const demoTemplates: Readonly<Record<DemoOrder['packageName'], ProjectTemplateInput>> = {
  Basic: {
    introduction: 'Three short questions, and we can begin.',
    questions: siteQuestions,
    checklist: ['Crawl the site', 'Check titles and descriptions', 'Write the report'],
    deliveryDays: 7,
    welcome: 'Welcome! This is where we work together: ask us anything here, and find all files and results.',
  },
  Standard: {
    introduction: 'Your answers decide where we look first. They are saved automatically while you write.',
    questions: [...siteQuestions, ...researchQuestions],
    checklist: [
      ...['Crawl the site', 'Research keywords', 'Check titles and descriptions'],
      ...['Measure speed on phones', 'Write the report'],
    ],
    deliveryDays: 14,
    welcome: 'Welcome! This is where we work together: ask us anything here, and find all files and results.',
  },
  Premium: {
    introduction: 'Your answers decide where we look first. They are saved automatically while you write.',
    questions: [
      ...siteQuestions,
      ...researchQuestions,
      {
        id: 'goal',
        label: 'What should be different in three months?',
        help: 'For example: twice as many calls from our town.',
        kind: 'long_text',
        required: true,
        options: [],
      },
      {
        id: 'launch',
        label: 'Is there a date that we should know of?',
        help: 'A launch, a fair, the beginning of your season.',
        kind: 'date',
        required: false,
        options: [],
      },
    ],
    checklist: [
      ...['Crawl the site', 'Research keywords', 'Compare with competitors', 'Check titles and descriptions'],
      ...['Measure speed on phones', 'Plan the content', 'Call the customer', 'Write the report'],
    ],
    deliveryDays: 21,
    welcome:
      'Welcome! This is where we work together: ask us anything here, and find all files and results. We will call you in the first week.',
  },
};

const toAnswers = (
  site: string,
  business: string,
  region: string,
  more: BriefAnswers = {},
): BriefAnswers => ({
  site,
  business,
  region,
  ...more,
});

/** The work of a paid order without a story is simply delivered and accepted. */
const demoStories: readonly DemoStory[] = [
  {
    ...{ who: 3, daysAgo: 2, durationHours: 6 },
    steps: [
      {
        brief: {
          site: 'https://novak-cycles.demo.example',
          business: 'Repair and sale of bicycles in Prague.',
        },
        complete: false,
      },
      { customer: 'I have begun with the questions. I will ask my colleague about the rest tomorrow.' },
      { staff: 'Take your time. Two of them are optional, by the way.' },
    ],
  },
  {
    ...{ who: 9, daysAgo: 5, durationHours: 90 },
    steps: [
      {
        brief: toAnswers(
          'https://morrison-roofing.demo.example',
          'Roof inspections and repairs for homeowners. Most calls come after a storm.',
          'In our town',
          {
            competitors: 'Rose City Roofing\nPortland Roof Care',
            tools: ['Google Search Console', 'Google Business Profile'],
            goal: 'Twice as many calls for inspections before autumn.',
          },
        ),
        complete: true,
      },
      { assign: true },
      { labels: ['local', 'roofing'] },
      {
        staff:
          'Thanks for the detailed answers, Jack. I have just started the first crawl: 214 pages. Could you add us to Search Console as a user with full rights?',
      },
      {
        customer:
          'Done. You should have an invitation. There is also an old blog that nobody reads, at /news. Should we delete it?',
      },
      {
        staff:
          'Please leave it for now. Four of its posts bring **38 visits a month**, and two of them could become good pages:\n\n- How long does a roof last?\n- What does an inspection cost?',
      },
      {
        note: 'On the phone, he asked about local ads, which we don’t offer. In the report, show him the local listings that Premium includes.',
      },
      { customer: 'Interesting, I would never have guessed. Go ahead.' },
    ],
  },
  {
    ...{ who: 1, daysAgo: 13, durationHours: 230 },
    steps: [
      {
        brief: toAnswers(
          'https://whitfield-boats.demo.example',
          'Boat trips and private charters around Bristol, from April to October.',
          'In our country',
          { competitors: 'Bristol Ferry', tools: ['Google Analytics'], goal: 'More direct bookings.' },
        ),
        complete: true,
      },
      { assign: true },
      {
        staff:
          'Hello Ben, the crawl is finished. Your booking pages take **6.2 seconds** on a phone, mostly because of the pictures. I will show you which ones in the report.',
      },
      { customer: 'That explains a lot. We changed the pictures in spring.' },
      {
        staff:
          'The keyword research is done, too. People search for *private boat hire* five times as often as for *charter*.',
      },
      {
        deliver:
          'Your audit: what slows your booking pages down, 24 searches that you can win, and a plan for three months.',
        links: ['https://example.com/audits/whitfield-boats'],
        file: {
          name: 'Keywords.csv',
          text: 'keyword,searches a month,position\nprivate boat hire bristol,880,14\nboat trips bristol,1300,9\nboat party bristol,590,31\n',
        },
      },
    ],
  },
  {
    ...{ who: 6, daysAgo: 20, durationHours: 400 },
    steps: [
      {
        brief: toAnswers(
          'https://lindqvist-ceramics.demo.example',
          'Hand-made ceramics, sold online and in our studio in Malmö.',
          'In several countries',
          { goal: 'Half of our sales from our own shop instead of the marketplace.' },
        ),
        complete: true,
      },
      { assign: true },
      { labels: ['shop'] },
      {
        staff:
          'Your shop has the same description on 61 product pages. We will write new ones for the twenty that sell best.',
      },
      {
        deliver: 'Descriptions and titles for your twenty best products.',
        links: ['https://example.com/drafts/lindqvist'],
      },
      {
        requestChanges:
          'These read well! For the blue series, please write stoneware instead of porcelain, and mention that they are dishwasher-safe.',
      },
      { note: 'Check the material of each series in her catalogue before we continue writing.' },
    ],
  },
  {
    ...{ who: 8, daysAgo: 27, durationHours: 300 },
    steps: [
      {
        brief: toAnswers(
          'https://carvalho-tours.demo.example',
          'Walking tours through Porto in English, French and Portuguese.',
          'In several countries',
        ),
        complete: true,
      },
      { staff: 'Bom dia, Ines! One question: which of the tours should people find first?' },
      { customer: 'The one in the evening. It has the best ratings and is rarely booked out.' },
      {
        deliver: 'Report with 16 improvements, the evening tour first.',
        links: ['https://example.com/audits/carvalho-tours'],
      },
      { customer: 'I read it twice. Very clear, thank you!' },
      { accept: true },
    ],
  },
  {
    ...{ who: 0, daysAgo: 47, durationHours: 500 },
    steps: [
      {
        brief: toAnswers(
          'https://okafor-fabrics.demo.example',
          'Fabrics for designers and tailors, wholesale and retail.',
          'In our country',
          { goal: 'To be found for ankara wholesale.' },
        ),
        complete: true,
      },
      { staff: 'We have everything that we need, and will begin with your wholesale pages.' },
      { deliver: 'New structure for your wholesale pages, with texts.' },
      { requestChanges: 'Please add the minimum order for each fabric.' },
      { resume: true },
      { staff: 'Good point. The minimum orders are in the table on each page now.' },
      { deliver: 'The same pages, with minimum orders.' },
      { accept: true },
      { customer: 'We got two new wholesale customers this week. Thank you!' },
    ],
  },
  // The order that an admin set to Paid: on hold until the customer’s new shop is online.
  {
    ...{ who: 6, daysAgo: 86, durationHours: 900 },
    steps: [
      {
        brief: toAnswers('https://old.lindqvist.demo.example', 'Ceramics from Malmö.', 'In our country'),
        complete: true,
      },
      { customer: 'We will move to a new shop system. Should we wait with the audit?' },
      { staff: 'Yes, let us wait. We would be checking pages that will be gone in a month.' },
      { hold: 'We will continue when your new shop is online.' },
    ],
  },
];

export function storyOf(order: Pick<DemoOrder, 'who' | 'daysAgo'>): DemoStory | undefined {
  return demoStories.find(({ who, daysAgo }) => who === order.who && daysAgo === order.daysAgo);
}
