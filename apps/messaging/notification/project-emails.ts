import { z } from 'zod';
import { type NotificationEmail, projectStep, readersSide, replyLine } from '#libs/contracts';
import { cutText, utcDayInWords } from '#libs/runtime';
import type { CustomizableContent, CustomizableEmail } from '../mail/customizable-email.js';
import {
  type Block,
  button,
  capitalized,
  details,
  preheaderFrom,
  quote,
  text,
} from '../mail/email-content.js';
import { formatMoment } from '../mail/format-moment.js';
import { parseMarkdown } from '../mail/markdown-blocks.js';
import type { Brand } from '../site/brand.js';

export type ProjectEmail = Extract<NotificationEmail, `project${string}`>;

export const projectParams = z.object({
  projectId: z.string(),
  number: z.int(),
  title: z.string(),
  /** The customer's name. */
  name: z.string(),
  /** What the customer is expected to do. Only the mails about a new project and the reminders use it. */
  step: projectStep.nullable(),
  questions: z.int(),
  /** The text of the deliverable that waits for the customer's decision; null if there is none. */
  deliverable: z.string().nullable(),
  /** What the customer wants changed, or why the project is on hold or closed; null if no reason was given. */
  reason: z.string().nullable(),
  dueOn: z.string().nullable(),
});
export type ProjectParams = z.output<typeof projectParams>;

/** Fetched when the mail is sent, and never stored with it. */
export const unreadParams = z.object({
  projectId: z.string(),
  number: z.int(),
  title: z.string(),
  messages: z.array(
    z.object({ name: z.string(), at: z.string(), text: z.string(), files: z.array(z.string()) }),
  ),
  /** The number of earlier messages, which are not shown. */
  more: z.int(),
  canReplyByMail: z.boolean(),
});
type UnreadParams = z.output<typeof unreadParams>;

/** Stored with the mail: which unread messages to fetch as `unreadParams` when it is sent. */
export const unreadBatchParams = z.object({
  projectId: z.string(),
  accountId: z.string(),
  side: readersSide,
  afterSeq: z.int(),
  upToSeq: z.int(),
});

/** Longer messages are cut, because mail programs hide what is beyond 100 kB. */
const maxMessageLength = 4_000;

const projectPlaceholders = {
  name: 'The customer’s name',
  title: 'The title of the project, which is the name of the package unless you have changed it',
  projectNumber: 'The number of the project, like #1042',
};

const sampleProject: ProjectParams = {
  projectId: '019a5c1e-7d40-7b3a-9c55-2f1d8e6b4a03',
  number: 1042,
  title: 'SEO audit',
  name: 'Ada Lovelace',
  step: 'answer_brief',
  questions: 5,
  deliverable: 'Here is your audit: the report, and a list of what to change first.',
  reason: 'We’re waiting for access to your site.',
  dueOn: '2026-12-04',
};

export const projectNumber = ({ number }: Pick<ProjectParams, 'number'>) => `#${number}`;
export const projectDetails = ({ title, number, dueOn }: ProjectParams, ...more: [string, string][]): Block =>
  details(['Project', title], ['Number', `#${number}`], ...(dueOn ? [dueRow(dueOn)] : []), ...more);
const dueRow = (dueOn: string): [string, string] => ['Due', utcDayInWords(dueOn)];

/** `questions` is zero if every question is answered in the draft, which has not been sent. */
const briefAction = (project: ProjectParams) =>
  project.questions === 0 ? 'send your answers' : `answer ${countedQuestions(project)}`;

const missingAnswers = ({ questions }: ProjectParams) =>
  questions === 0 ? 'you haven’t sent your answers yet' : 'some of your answers are missing';

const countedQuestions = ({ questions }: ProjectParams) =>
  questions === 1 ? 'one question' : `${questions} questions`;

const quoted = (value: string | null): Block[] => (value ? [quote(value)] : []);

interface ProjectContent extends Pick<CustomizableContent, 'preheader' | 'heading' | 'blocksAfter'> {
  values?: CustomizableContent['values'];
}

interface ProjectEmailSource extends Pick<CustomizableEmail, 'occasion' | 'wording'> {
  placeholders?: CustomizableEmail['placeholders'];
  sampleParams?: Partial<ProjectParams>;
  write(project: ProjectParams, brand: Brand): ProjectContent;
}

function projectEmail({ placeholders, sampleParams, write, ...rest }: ProjectEmailSource): CustomizableEmail {
  return {
    ...rest,
    placeholders: { ...projectPlaceholders, ...placeholders },
    sampleParams: { ...sampleProject, ...sampleParams },
    write(params, brand) {
      const project = projectParams.parse(params);
      const { values, ...content } = write(project, brand);
      const { name, title } = project;
      return {
        ...content,
        values: { name, title, projectNumber: projectNumber(project), ...values },
        footerReason: footerReason(brand),
      };
    },
  };
}

const footerReason = ({ name }: Brand) =>
  `You’re receiving this e-mail because you have a project at ${name}.`;

const projectButton = ({ projectId }: Pick<ProjectParams, 'projectId'>, { siteUrl }: Brand) =>
  button('Open your project', `${siteUrl}/project/${projectId}`);
const briefButton = ({ projectId }: ProjectParams, { siteUrl }: Brand) =>
  button('Answer the questions', `${siteUrl}/project/${projectId}/brief`);
const reviewButton = ({ projectId }: ProjectParams, { siteUrl }: Brand) =>
  button('Review the work', `${siteUrl}/project/${projectId}`);

function openedWords(project: ProjectParams) {
  if (project.step !== 'answer_brief')
    return {
      action: 'We’ve started work',
      nextStep: `We’ve started work${project.dueOn ? `, and plan to finish by ${utcDayInWords(project.dueOn)}` : ''}. In your project, you can follow our progress, write to us and share files.`,
      heading: 'Your project has started',
      preheader: 'You can follow our progress, write to us and share files.',
    };
  return {
    action: `${capitalized(briefAction(project))} so that we can begin`,
    nextStep: `Please ${briefAction(project)} about your project. We’ll begin as soon as we have your answers. You can save a draft and finish it later.`,
    heading: 'We need a few answers to begin',
    preheader: 'We’ll begin as soon as we have your answers.',
  };
}

function reminderWords(project: ProjectParams): { reminder: string; reminderNote: string } {
  return project.step === 'answer_brief'
    ? {
        reminder: `Reminder: ${briefAction(project)} so that we can begin`,
        reminderNote: `We can’t begin yet, because ${missingAnswers(project)}.`,
      }
    : {
        reminder: 'Reminder: ready for your review',
        reminderNote:
          'We’ve delivered the work and haven’t heard from you yet. Please accept it, or ask for changes.',
      };
}

/** Markdown becomes the same blocks as in newsletters, but images become links, so that the mail does not load them. */
function markdownBlocks(markdown: string, { siteUrl }: Brand): Block[] {
  return parseMarkdown(markdown, siteUrl).map(imageAsLink);
}

/** Without the marks of Markdown, for preheaders. */
function plainText(blocks: readonly Block[]): string {
  const runsOf = (block: Block) =>
    'runs' in block ? [block.runs] : block.kind === 'list' ? block.items : [];
  return blocks
    .flatMap(runsOf)
    .map((runs) => runs.map(({ text: written }) => written).join(''))
    .join(' ');
}

const deliverableBlocks = ({ deliverable }: ProjectParams, brand: Brand) =>
  markdownBlocks(deliverable ?? '', brand);

export function messageBlocks({ messages, more }: UnreadParams, brand: Brand): Block[] {
  const blocks = messages.flatMap(({ name, at, text: written, files }): Block[] => {
    const author = [{ text: name, strong: true }, { text: `, ${formatMoment(at)}` }];
    const cut = written.length > maxMessageLength ? `${cutText(written, maxMessageLength)} …` : written;
    return [
      { kind: 'richText', runs: author },
      ...markdownBlocks(cut, brand),
      ...(files.length > 0 ? [text(`Files: ${files.join(', ')}`)] : []),
    ];
  });
  if (more > 0)
    blocks.push(text(more === 1 ? 'There’s one earlier message.' : `There are ${more} earlier messages.`));
  return blocks;
}

function imageAsLink(block: Block): Block {
  if (block.kind !== 'image') return block;
  const url = block.linkUrl ?? block.url;
  return { kind: 'richText', runs: [{ text: block.alt || url, url }] };
}

export function messageTitle({ messages, more }: UnreadParams): string {
  const count = messages.length + more;
  const names = new Set(messages.map(({ name }) => name));
  // The authors of the earlier messages are not known here.
  const from = names.size === 1 && more === 0 ? ` from ${[...names][0]}` : '';
  return count === 1 ? `New message${from}` : `${count} new messages${from}`;
}

export function messagePreview({ messages }: UnreadParams, brand: Brand): string {
  const [first] = messages;
  if (!first) return '';
  return preheaderFrom(
    `${first.name}: ${plainText(markdownBlocks(first.text, brand)) || first.files.join(', ')}`,
  );
}

export const replyNote = ({ canReplyByMail }: UnreadParams) =>
  canReplyByMail
    ? 'Reply to this e-mail, or open the project.'
    : 'To reply, open the project. E-mails to this address aren’t read.';

const sampleUnread: UnreadParams = {
  projectId: sampleProject.projectId,
  number: sampleProject.number,
  title: sampleProject.title,
  messages: [
    {
      name: 'Ben Carter',
      at: '2026-11-21T10:00:00.000Z',
      text: 'We’ve looked at your site. **Which pages matter most to you?**',
      files: ['first-look.pdf'],
    },
  ],
  more: 0,
  canReplyByMail: true,
};

export const projectEmails: Readonly<Record<ProjectEmail, CustomizableEmail>> = {
  projectOpened: projectEmail({
    occasion: 'To the customer, when their project begins',
    wording: {
      subject: '{action}: {title} ({projectNumber})',
      text: 'Thank you for your order, {name}. {nextStep}',
    },
    placeholders: {
      action:
        '“Answer 5 questions so that we can begin”, “Send your answers so that we can begin” or “We’ve started work”',
      nextStep: 'What happens next: that you need answers, or that you’ve started work',
    },
    write(project, brand) {
      const { preheader, heading, ...values } = openedWords(project);
      const buttonOf = project.step === 'answer_brief' ? briefButton : projectButton;
      return {
        preheader,
        heading,
        values,
        blocksAfter: [projectDetails(project), buttonOf(project, brand)],
      };
    },
  }),
  projectDelivered: projectEmail({
    occasion: 'To the customer and their colleagues, when you hand over work for review',
    wording: {
      subject: 'Ready for your review: {title} ({projectNumber})',
      text: 'We’ve finished our work on {title}. Please look at it, then accept it or ask for changes.',
    },
    write: (project, brand) => ({
      preheader:
        preheaderFrom(plainText(deliverableBlocks(project, brand))) || 'Accept it, or ask for changes.',
      heading: 'Our work is ready for your review',
      blocksAfter: [...deliverableBlocks(project, brand), reviewButton(project, brand)],
    }),
  }),
  projectReminder: projectEmail({
    occasion:
      'To the customer and their colleagues, once, when you’re waiting for their answers or their review',
    wording: {
      subject: '{reminder}: {title} ({projectNumber})',
      text: '{reminderNote}',
    },
    placeholders: {
      reminder:
        '“Reminder: answer 5 questions so that we can begin”, “Reminder: send your answers so that we can begin” or “Reminder: ready for your review”',
      reminderNote: 'What you’re waiting for',
    },
    sampleParams: { step: 'review' },
    write(project, brand) {
      const isBrief = project.step === 'answer_brief';
      const values = reminderWords(project);
      return {
        preheader: isBrief
          ? `${capitalized(missingAnswers(project))}.`
          : 'Please accept it, or ask for changes.',
        heading: isBrief ? 'We’re waiting for your answers' : 'We’re waiting for your review',
        values,
        blocksAfter: isBrief
          ? [briefButton(project, brand)]
          : [...deliverableBlocks(project, brand), reviewButton(project, brand)],
      };
    },
  }),
  projectOnHold: projectEmail({
    occasion: 'To the customer and their colleagues, when you put a project on hold and give a reason',
    wording: {
      subject: 'On hold: {title} ({projectNumber})',
      text: 'We’ve put {title} on hold. We’ll continue as soon as we can.',
    },
    write: (project, brand) => ({
      preheader: preheaderFrom(project.reason ?? ''),
      heading: 'Your project is on hold',
      blocksAfter: [...quoted(project.reason), projectButton(project, brand)],
    }),
  }),
  projectClosed: projectEmail({
    occasion: 'To the customer and their colleagues, when you close a project and give a reason',
    wording: {
      subject: 'Closed: {title} ({projectNumber})',
      text: 'We’ve closed {title}. You can still read everything in it.',
    },
    write: (project, brand) => ({
      preheader: preheaderFrom(project.reason ?? ''),
      heading: 'Your project is closed',
      blocksAfter: [...quoted(project.reason), projectButton(project, brand)],
    }),
  }),
  projectMessages: {
    occasion: 'To the customer and their colleagues, when messages to them have been unread for five minutes',
    wording: {
      subject: '{messageTitle}: {title} ({projectNumber})',
      text: 'There’s something new in {title}. {replyNote}',
    },
    placeholders: {
      title: projectPlaceholders.title,
      projectNumber: projectPlaceholders.projectNumber,
      messageTitle:
        '“New message” or the number of new messages, and the author if one person wrote them all',
      replyNote: 'How the customer can reply',
    },
    sampleParams: sampleUnread,
    write(params, brand) {
      const unread = unreadParams.parse(params);
      return {
        preheader: messagePreview(unread, brand),
        heading: messageTitle(unread),
        values: {
          title: unread.title,
          projectNumber: projectNumber(unread),
          messageTitle: messageTitle(unread),
          replyNote: replyNote(unread),
        },
        blocksAfter: [...messageBlocks(unread, brand), projectButton(unread, brand)],
        footerReason: footerReason(brand),
        ...(unread.canReplyByMail && { replyLine }),
      };
    },
  },
};
