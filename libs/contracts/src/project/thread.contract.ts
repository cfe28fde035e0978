import { z } from 'zod';
import { command, event, query } from '../contract.js';
import { queryStringOf } from '../inputs.js';
import { grouped, operation, relay, relayedIn } from '../operation.js';
import { adminsIdempotent, adminsOnly, signedInOnly, openToAll } from '../policy.js';
import { requiredText } from '../text.js';
import { projectFile } from './project-file.contract.js';
import { fileLimits } from './project-limits.js';
import { projectState } from './project.contract.js';

/** How many readers one call of `getThreadPositions` may name. */
export const maxThreadPositions = 500;

/** `system`: the site itself, for example when it sends a reminder. */
const author = z.object({
  side: z.enum(['customer', 'staff', 'system']),
  /** Null for the system, and for a person who has deleted their account. */
  accountId: z.string().nullable(),
  name: z.string(),
});

const entryFields = {
  /** The position in the project's thread. There are gaps, because edits, deletions and entries for staff use up numbers too. */
  seq: z.int(),
  at: z.string(),
  by: author,
};

const writtenFields = {
  ...entryFields,
  _id: z.string(),
  /** Markdown: headings, lists, links, bold and italic. Empty after a deletion, or for a message that has only files. */
  text: z.string(),
  files: z.array(projectFile),
  editedAt: z.string().nullable(),
  deletedAt: z.string().nullable(),
};

const message = z.object({
  kind: z.literal('message'),
  ...writtenFields,
  /** The beginning of the message that this one answers. */
  quote: z.object({ _id: z.string(), name: z.string(), text: z.string() }).nullable(),
  /** Shown collapsed below a reply by mail: quoted text and signature, or the whole mail if `text` is cut or is not the mail's beginning. */
  folded: z.string().nullable(),
  byMail: z.boolean(),
});

/** Everyone in the project may read it. */
const threadEvent = z.object({
  kind: z.literal('event'),
  ...entryFields,
  what: z.enum([
    'opened',
    'brief_completed',
    'state_changed',
    'delivered',
    'accepted',
    'changes_requested',
    'order_paid',
    'due_date_set',
    'reminded',
  ]),
  /** The state that the event set, which can be the same as before; null if it set none. */
  state: projectState.nullable(),
  /** E.g. `Ada Lovelace accepted the work.` */
  text: z.string(),
  deliverableId: z.string().nullable(),
});

/** For the customer’s side. This schema cannot contain a note. */
export const threadEntry = z.discriminatedUnion('kind', [message, threadEvent]);
export type ThreadEntry = z.infer<typeof threadEntry>;
export type ThreadMessage = z.infer<typeof message>;
export type ThreadEvent = z.infer<typeof threadEvent>;

/** For staff only. */
const note = z.object({ kind: z.literal('note'), ...writtenFields });
export type ThreadNote = z.infer<typeof note>;

/** Assignments, labels, changed titles, ticked steps. */
const staffEvent = z.object({ kind: z.literal('staff_event'), ...entryFields, text: z.string() });

export const staffThreadEntry = z.discriminatedUnion('kind', [message, threadEvent, note, staffEvent]);
export type StaffThreadEntry = z.infer<typeof staffThreadEntry>;

/** The entries are sorted by `seq` or, with `after`, by their last change; oldest first. */
const threadPart = <E extends z.ZodType>(entry: E) =>
  z.object({
    entries: z.array(entry),
    /** Whether there are entries before the first of these. With `after`, true unless `after` is 0. */
    hasEarlier: z.boolean(),
    /** Whether there are entries after the last of these or, with `after`, later changes. */
    hasLater: z.boolean(),
    /** Later changes are requested with this number as `after`. It can be greater than every `seq`, because edits and deletions count too. */
    change: z.int(),
    /** The last `seq` that the reader has read; 0 for none. */
    readSeq: z.int(),
    /** The last `seq` that somebody on the other side has read; 0 for none. */
    othersReadSeq: z.int(),
  });
const customerThread = threadPart(threadEntry);
const staffThread = threadPart(staffThreadEntry);
export type Thread = z.infer<typeof customerThread>;
export type StaffThread = z.infer<typeof staffThread>;

export const largestSeq = 2_000_000_000;
/**
 * Without `before` and `after`, the last entries; with both, `before` is ignored. For `after`, edited and deleted entries count as new; they keep
 * their `seq`.
 */
const threadRange = z.object({
  before: z.int().min(1).max(largestSeq).optional().describe('Entries with a smaller `seq` than this.'),
  after: z.int().min(0).max(largestSeq).optional().describe('New and changed entries after this `change`.'),
  limit: z.int().min(1).max(100).optional().describe('How many entries; 50 by default.'),
});

const attachedFiles = z.array(z.uuid()).max(fileLimits.attached).default([]);
const messageBody = z
  .strictObject({
    text: requiredText(20_000).or(z.literal('')).default(''),
    files: attachedFiles,
    /** The message that this one answers. */
    quote: z.uuid().optional(),
  })
  .refine(({ text, files }) => text !== '' || files.length > 0, { path: ['text'], message: 'is required' });
const noteBody = z.strictObject({ text: requiredText(20_000), files: attachedFiles });
const editBody = z.strictObject({ text: requiredText(20_000) });
const readBody = z.strictObject({ seq: z.int().min(0).max(largestSeq) });
const readProgress = z.object({ readSeq: z.int(), unread: z.int() });

const messageRecord = message.meta({ id: 'ProjectMessage' });
const noteRecord = note.meta({ id: 'ProjectNote' });

/**
 * Server-sent events. The id of each is a `change`. The stream continues after the `change` in `Last-Event-ID`, or else in `after`; without either,
 * it begins now.
 */
const updateStream = {
  query: queryStringOf(threadRange.pick({ after: true })),
  answer: z.undefined(),
  mediaType: 'text/event-stream',
  writesReply: true,
  failures: ['NOT_FOUND', 'OVERLOADED'],
} as const;

export const threadOperations = grouped('Projects', {
  getThread: relay({
    at: 'GET /project/:id/thread',
    pattern: 'projects.thread',
    summary: 'Messages and what happened, oldest first; without `before` and `after`, the last ones',
    policy: signedInOnly,
    query: threadRange,
    answer: customerThread.meta({ id: 'ProjectThread' }),
  }),
  /**
   * Throws INVALID_INPUT for files that the caller has not uploaded to this project or has sent before, and for a quote that is no message of this
   * project, or was deleted.
   */
  postMessage: relay({
    at: 'POST /project/:id/messages',
    pattern: 'projects.postMessage',
    summary: 'Write to the people who do the work',
    policy: { ...signedInOnly, idempotent: true },
    body: messageBody.meta({ id: 'ProjectMessageCreate' }),
    answer: messageRecord,
  }),
  /** Throws INVALID_TRANSITION after 15 minutes, or if the message was deleted; NOT_FOUND for somebody else’s message. */
  editMessage: relay({
    at: 'PUT /project/:id/messages/:message',
    pattern: 'projects.editMessage',
    summary: 'Change the text of your message, within 15 minutes',
    policy: signedInOnly,
    body: editBody.meta({ id: 'ProjectMessageEdit' }),
    answer: messageRecord,
    failures: ['INVALID_TRANSITION'],
  }),
  /** Removes the text and the files. The entry stays, with `deletedAt`. */
  deleteThreadMessage: relay({
    at: 'DELETE /project/:id/messages/:message',
    pattern: 'projects.deleteMessage',
    summary: 'Delete your message',
    policy: signedInOnly,
    answer: messageRecord,
  }),
  /** `readSeq` never decreases. */
  markRead: relay({
    at: 'POST /project/:id/read',
    pattern: 'projects.markRead',
    summary: 'Mark everything up to an entry as read',
    policy: signedInOnly,
    body: readBody.meta({ id: 'ReadMark' }),
    answer: readProgress,
  }),
});

export const staffThreadOperations = grouped('Project work', {
  getStaffThread: relay({
    at: 'GET /staff-project/:id/thread',
    pattern: 'projects.staffThread',
    summary: 'Messages, notes and what happened, oldest first; without `before` and `after`, the last ones',
    policy: adminsOnly,
    query: threadRange,
    answer: staffThread.meta({ id: 'StaffThread' }),
  }),
  postStaffMessage: relay({
    at: 'POST /staff-project/:id/messages',
    pattern: 'projects.postStaffMessage',
    summary: 'Write to the customer',
    policy: adminsIdempotent,
    body: messageBody,
    answer: messageRecord,
  }),
  postNote: relay({
    at: 'POST /staff-project/:id/notes',
    pattern: 'projects.postNote',
    summary: 'Write a note that only staff see',
    policy: adminsIdempotent,
    body: noteBody.meta({ id: 'ProjectNoteCreate' }),
    answer: noteRecord,
  }),
  editStaffMessage: relay({
    at: 'PUT /staff-project/:id/messages/:message',
    pattern: 'projects.editStaffMessage',
    summary: 'Change the text of your message to the customer, within 15 minutes',
    policy: adminsOnly,
    body: editBody,
    answer: messageRecord,
    failures: ['INVALID_TRANSITION'],
  }),
  deleteStaffMessage: relay({
    at: 'DELETE /staff-project/:id/messages/:message',
    pattern: 'projects.deleteStaffMessage',
    summary: 'Delete your message to the customer',
    policy: adminsOnly,
    answer: messageRecord,
  }),
  editNote: relay({
    at: 'PUT /staff-project/:id/notes/:note',
    pattern: 'projects.editNote',
    summary: 'Change the text of your note, within 15 minutes',
    policy: adminsOnly,
    body: editBody,
    answer: noteRecord,
    failures: ['INVALID_TRANSITION'],
  }),
  deleteNote: relay({
    at: 'DELETE /staff-project/:id/notes/:note',
    pattern: 'projects.deleteNote',
    summary: 'Delete your note',
    policy: adminsOnly,
    answer: noteRecord,
  }),
  markStaffRead: relay({
    at: 'POST /staff-project/:id/read',
    pattern: 'projects.markStaffRead',
    summary: 'Mark everything up to an entry as read, for yourself',
    policy: adminsOnly,
    body: readBody,
    answer: readProgress,
  }),
});

export const threadUpdateOperations = grouped('Projects', {
  /** Each event's data is a part of the thread, as from `GET /project/{id}/thread?after=`. */
  followThread: operation({
    at: 'GET /project/:id/updates',
    summary: 'New and changed entries of the thread as they happen (server-sent events)',
    policy: signedInOnly,
    ...updateStream,
  }),
  followStaffThread: operation({
    at: 'GET /staff-project/:id/updates',
    summary: 'New and changed entries as they happen, for staff (server-sent events)',
    policy: adminsOnly,
    ...updateStream,
  }),
});

export const maxInboundMailBytes = 25 * 1024 * 1024;

export const inboundMailOperations = grouped('Projects', {
  /**
   * For the provider that receives mail for the reply addresses. The body is the raw message (RFC 5322). The header `Mail-Signature` is made with
   * INBOUND_MAIL_SECRET: see `parseMailSignature`. Answers when the message is stored. The same message takes effect only once. Throws FORBIDDEN for
   * a wrong signature, for a time that is more than five minutes off, and if INBOUND_MAIL_SECRET is not set.
   */
  receiveMail: operation({
    at: 'POST /inbound-mail',
    summary: 'A received mail: a reply to a project mail is added to the thread, anything else is dropped',
    policy: { ...openToAll, limit: 'mailReports' },
    streamedBody: true,
    answer: z.object({ received: z.literal(true) }).meta({ id: 'MailReceived' }),
    failures: ['FORBIDDEN', 'OVERLOADED'],
  }),
});

export const readersSide = z.enum(['customer', 'staff']);
/** Messages to this side with a `seq` above `afterSeq`, up to `upToSeq`. */
const unreadBatch = { side: readersSide, afterSeq: z.int(), upToSeq: z.int() };

export const threadContract = {
  ...relayedIn(threadOperations),
  ...relayedIn(staffThreadOperations),
  /** Registers a stored mail. Later, a worker adds it to its thread or drops it. `isNew` is false if a mail with the same bytes came before. */
  receiveStoredMail: command({
    pattern: 'projects.receiveMail',
    access: 'public',
    input: z.object({ mailId: z.uuid(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    output: z.object({ isNew: z.boolean() }),
  }),
  /**
   * In the order of `readers`; null for an unknown project, and for a customer who may not read the thread. When a position has changed, the gateway
   * requests the entries on behalf of the person.
   */
  getThreadPositions: query({
    pattern: 'projects.threadPositions',
    access: 'system',
    input: z.object({
      readers: z
        .array(z.object({ projectId: z.string(), accountId: z.string(), asStaff: z.boolean() }))
        .max(maxThreadPositions),
    }),
    output: z.array(z.object({ change: z.int(), readSeq: z.int(), othersReadSeq: z.int() }).nullable()),
  }),
  /**
   * The unread part of a batch of `projects.messagesUnread`; null if all of it was read or deleted, if the project no longer exists, or if a customer
   * may not read it any more. `accountId` is the reader. Notes are in no mail, not even to staff.
   */
  getUnreadForMail: query({
    pattern: 'projects.unreadForMail',
    access: 'system',
    callableBy: ['messaging'],
    input: z.object({ projectId: z.string(), accountId: z.string(), ...unreadBatch }),
    output: z
      .object({
        project: z.object({ _id: z.string(), number: z.int(), title: z.string() }),
        side: readersSide,
        messages: z.array(
          z.object({ name: z.string(), at: z.string(), text: z.string(), files: z.array(z.string()) }),
        ),
        /** The number of earlier unread messages that `messages` leaves out. */
        more: z.int(),
        /** The accounts of those who wrote `messages`. Missing only from a projects service of the previous version. */
        authors: z.array(z.string()).optional(),
        /** `reply+<token>@example.com`; null if replies by mail are not set up. */
        replyAddress: z.string().nullable(),
      })
      .nullable(),
  }),
} as const;

/**
 * Somebody has had unread messages for five minutes, and is mailed once for all of them. `accountId` is the reader; null for messages to
 * staff if nobody is assigned to the project. Then, or if an assigned reader is no longer an admin, all admins are mailed. Admins who have switched
 * these mails off get none.
 */
export const messagesUnread = event(
  'projects.messagesUnread',
  z.object({ projectId: z.string(), accountId: z.string().nullable(), ...unreadBatch }),
);
