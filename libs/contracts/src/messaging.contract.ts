import { z } from 'zod';
import { createdAnswerSchema, deleted, recordMeta, updated } from './answers.js';
import { bulkOutcome, chosenIds } from './bulk.js';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { exportQuery, moment, selection, selectionOutcome, updateBody } from './inputs.js';
import { mail, mailState } from './mail.contract.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly, publicForm } from './policy.js';
import { isSingleLine, requiredLine, requiredText } from './text.js';

/**
 * `pending`: not confirmed by the owner of the address. `suppressed`: mail bounced permanently, or the owner reported spam; no newsletter until an
 * admin lifts the suppression.
 */
const subscriberStatus = z.enum(['pending', 'subscribed', 'unsubscribed', 'suppressed']);
export type SubscriberStatus = z.infer<typeof subscriberStatus>;

export const consentSource = z.enum(['form', 'import', 'admin']);
export type ConsentSource = z.infer<typeof consentSource>;

export const subscriber = z.object({
  _id: z.string(),
  email: z.string(),
  status: subscriberStatus,
  ...recordMeta,
});
export type Subscriber = z.infer<typeof subscriber>;

/** With the evidence of consent, for admins. */
const subscriberRecord = subscriber.extend({
  /** Null if nothing is known about it. */
  consent: z
    .object({
      at: z.string(),
      source: consentSource,
      /** What the person was shown, or an admin's words on how and when consent was given; null if not recorded. */
      text: z.string().nullable(),
      /** For a sign-up with the form: the client's IP address, if it was recorded. */
      ip: z.string().nullable(),
    })
    .nullable(),
  confirmedAt: z.string().nullable(),
  confirmedIp: z.string().nullable(),
  unsubscribedAt: z.string().nullable(),
  /** `reason` is a mail server's answer, or what a report of a bounce or of spam says. */
  suppressed: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type SubscriberRecord = z.infer<typeof subscriberRecord>;

/**
 * The default consent text of the sign-up form. The text that a person saw is stored with the consent, and repeated in the confirmation mail and on
 * its page.
 */
export const newsletterConsent =
  'Send me the newsletter by e-mail. I can unsubscribe at any time with the link in every issue.';

/** What a link in a mail does. Its token is a credential, so it reaches no log. */
const newsletterLink = z.enum(['confirm', 'unsubscribe']);
export type NewsletterLink = z.infer<typeof newsletterLink>;

/** What the holder of the link may see. */
export const newsletterSubscription = z.object({
  /** Like `a***@example.com`. */
  emailMasked: z.string(),
  status: subscriberStatus,
  /**
   * A confirmation link is `open`, `done` (the address is subscribed), `used` (it has been unsubscribed since, or is suppressed) or `expired`. An
   * unsubscribe link is `used` if the address is suppressed and also unsubscribed; otherwise `open`.
   */
  link: z.enum(['open', 'done', 'used', 'expired']),
  /** For `/unsubscribe`; set if a confirmation link is `done`. */
  unsubscribeToken: z.string().nullable(),
  /** What the person agrees to by confirming. */
  consent: z.string(),
});
export type NewsletterSubscription = z.infer<typeof newsletterSubscription>;

export const newsletterLinkPageData = z.object({
  link: newsletterLink,
  token: z.string(),
  /** Null for an invalid link. */
  subscription: newsletterSubscription.nullable(),
  /** A confirmation mail was requested on this page. */
  asked: z.boolean(),
  /** For an unsubscribe link: the campaign that the link was in. */
  campaign: z.string().optional(),
});
export type NewsletterLinkPageData = z.infer<typeof newsletterLinkPageData>;

const linkToken = z.string().max(200);
/** Evidence of consent. */
const ip = z.string().max(100).optional();

/** `Read` once an admin marks it as read or answered, or replies. It never becomes `UnRead` again. */
export const messageStatus = z.enum(['UnRead', 'Read']);
export type MessageStatus = z.infer<typeof messageStatus>;

export const message = z.object({
  _id: z.string(),
  fullName: z.string(),
  emailAddress: z.string(),
  subject: z.string(),
  message: z.string(),
  messageStatus,
  /** When an admin last replied, or marked it as answered; null while it is open. */
  answeredAt: z.string().nullable(),
  ...recordMeta,
});
export type Message = z.infer<typeof message>;

/** Only staff see a note. */
const messageEntry = z.object({
  _id: z.string(),
  kind: z.enum(['reply', 'note']),
  text: z.string(),
  /** An admin's e-mail address. */
  author: z.string(),
  createdAt: z.string(),
  /** Null for a note, and once the e-mail is no longer listed. */
  mail: z.object({ state: mailState, bouncedAt: z.string().nullable() }).nullable(),
});
export type MessageEntry = z.infer<typeof messageEntry>;

/** The thread begins with the oldest entry. */
const messageWithThread = message.extend({ thread: z.array(messageEntry) });
export type MessageWithThread = z.infer<typeof messageWithThread>;

/** The most replies and notes of one message, counted together. */
export const messageThreadLimit = 100;

const subscriberSort = z.enum(['createdAt', 'email']);
const messageSort = z.enum(['createdAt', 'fullName']);

/** Checked before trimming, so that a line break at the end is refused. */
const singleLineAddress = z
  .string({ error: ({ input }) => (input === undefined ? 'Email is Required' : undefined) })
  .refine(isSingleLine, 'must be one line of text')
  .pipe(emailAddress);

const subscriberInput = z.strictObject({ email: singleLineAddress });

const messageInput = z.strictObject({
  fullName: requiredLine(300),
  emailAddress: singleLineAddress,
  subject: requiredLine(300),
  message: requiredText(10_000),
  messageStatus: z.literal('UnRead').default('UnRead'),
});
export type MessageInput = z.output<typeof messageInput>;

/** The most messages, and the most mails. */
export const ownMessagingDataLimit = 1000;

export const ownMessagingData = z.object({
  messages: z.array(message.extend({ replies: z.array(messageEntry.pick({ text: true, createdAt: true })) })),
  subscription: subscriberRecord
    .omit({ _id: true, createdAt: true, updatedAt: true, version: true })
    .extend({ since: z.string() })
    .nullable(),
  /** Newest first, without their content. */
  mails: z.array(
    mail.pick({
      template: true,
      to: true,
      subject: true,
      state: true,
      attempts: true,
      answer: true,
      createdAt: true,
      finishedAt: true,
      bouncedAt: true,
    }),
  ),
});
export type OwnMessagingData = z.infer<typeof ownMessagingData>;

/** Pages add these to the documented body, to recognize bots. */
const formChecks = {
  website: z
    .string()
    .max(1000)
    .optional()
    .describe('A field that people do not see. A form in which it is filled is refused.'),
  filledMs: z
    .number()
    .min(0)
    .optional()
    .describe('Milliseconds from seeing the form to sending it; under 1000 it is refused.'),
};

const exactAddress = emailAddress.optional().describe('Exactly this address, in any letter case.');

const subscriberAnswer = subscriberRecord.meta({ id: 'Subscriber' });
const subscriberFilter = z.object({
  status: subscriberStatus.optional(),
  email: exactAddress,
  sort: subscriberSort.default('createdAt'),
  direction: sortDirection.default('desc'),
});

const deletion = { policy: adminsOnly, versioned: true, answer: deleted } as const;
const bulkChange = { policy: adminsIdempotent, answer: selectionOutcome } as const;

export const subscriberOperations = grouped('Subscribers', {
  createSubscriber: operation({
    at: 'POST /add-subscriber',
    summary:
      'Sign up for the newsletter; an address that is neither subscribed nor suppressed gets a mail that asks to confirm',
    policy: publicForm,
    body: subscriberInput
      .extend(formChecks)
      .meta({ id: 'SubscriberCreate', examples: [{ email: 'ada@example.com' }] }),
    status: 201,
    answer: createdAnswerSchema(subscriber),
  }),
  listSubscribers: list({
    at: 'GET /subscribers',
    pattern: 'messaging.listSubscribers',
    summary: 'Subscribers, newest first unless sorted',
    policy: adminsOnly,
    filter: subscriberFilter,
    record: subscriberAnswer,
  }),
  liftSuppression: relay({
    at: 'DELETE /subscriber/:id/suppression',
    pattern: 'messaging.liftSuppression',
    summary:
      'Allow newsletters to an address whose mail bounced, or whose owner reported spam; its status is again what it was before',
    policy: adminsOnly,
    versioned: true,
    answer: subscriberAnswer,
    failures: ['INVALID_TRANSITION'],
  }),
  deleteSubscriber: relay({
    at: 'DELETE /subscriber/:id',
    pattern: 'messaging.removeSubscriber',
    summary: 'Remove a subscriber',
    ...deletion,
  }),
  deleteSubscribers: relay({
    at: 'POST /subscribers/delete',
    pattern: 'messaging.removeSubscribers',
    summary: 'Remove up to 100 subscribers',
    ...bulkChange,
    body: selection.meta({ id: 'SubscribersDelete' }),
  }),
  /** A subscriber whose address has been added again fails with DUPLICATE. */
  restoreSubscribers: relay({
    at: 'POST /subscribers/restore',
    pattern: 'messaging.restoreSubscribers',
    summary: 'Bring back up to 100 subscribers that were removed within the last hour, with their former ids',
    ...bulkChange,
    body: selection.meta({ id: 'SubscribersRestore' }),
  }),
  exportSubscribers: csvExport({
    at: 'GET /subscribers/export',
    summary: 'All subscribers that pass the filter, as a CSV file',
    query: exportQuery(subscriberFilter),
  }),
});

const messageAnswer = message.meta({ id: 'Message' });
const threadAnswer = messageWithThread.meta({ id: 'MessageWithThread' });
const entryBody = z.strictObject({ text: requiredText(10_000) });
const messageFilter = z.object({
  messageStatus: messageStatus.optional(),
  answered: z.boolean().optional().describe('Whether an admin has answered.'),
  emailAddress: exactAddress,
  from: moment.optional().describe('Messages that arrived at this time or later, ISO 8601.'),
  to: moment.optional().describe('Messages that arrived at this time or earlier, ISO 8601.'),
  sort: messageSort.default('createdAt'),
  direction: sortDirection.default('desc'),
});

export const messageOperations = grouped('Messages', {
  createMessage: operation({
    at: 'POST /add-message',
    summary: 'Send a message through the contact form; it arrives unread',
    policy: publicForm,
    body: messageInput.extend(formChecks).meta({
      id: 'MessageCreate',
      examples: [
        {
          fullName: 'Ada Lovelace',
          emailAddress: 'ada@example.com',
          subject: 'Search ranking',
          message: 'Could you look at how our shop ranks for local searches?',
        },
      ],
    }),
    status: 201,
    answer: createdAnswerSchema(message),
  }),
  listMessages: list({
    at: 'GET /messages',
    pattern: 'messaging.listMessages',
    summary: 'Messages, newest first unless sorted',
    policy: adminsOnly,
    filter: messageFilter,
    record: messageAnswer,
  }),
  getMessage: relay({
    at: 'GET /message/:id',
    pattern: 'messaging.message',
    summary: 'One message, with its replies and notes',
    policy: adminsOnly,
    answer: threadAnswer,
  }),
  replyToMessage: relay({
    at: 'POST /message/:id/reply',
    pattern: 'messaging.replyToMessage',
    summary: 'Send a reply to the sender by e-mail; the message counts as read and answered',
    policy: adminsIdempotent,
    body: entryBody.meta({ id: 'MessageReply', examples: [{ text: 'Thanks, we’ll call you tomorrow.' }] }),
    answer: threadAnswer,
    failures: ['INVALID_TRANSITION'],
  }),
  addMessageNote: relay({
    at: 'POST /message/:id/note',
    pattern: 'messaging.addMessageNote',
    summary: 'Add a note that only staff see',
    policy: adminsIdempotent,
    body: entryBody.meta({ id: 'MessageNote', examples: [{ text: 'Called back on Monday.' }] }),
    answer: threadAnswer,
    failures: ['INVALID_TRANSITION'],
  }),
  setMessageAnswered: relay({
    at: 'PUT /message/:id/answered',
    pattern: 'messaging.setMessageAnswered',
    summary: 'Mark a message as answered, for example by phone, or as open again',
    policy: adminsOnly,
    body: z.strictObject({ answered: z.boolean() }).meta({ id: 'MessageAnswered' }),
    answer: threadAnswer,
  }),
  updateMessage: relay({
    at: 'PUT /message/:id',
    pattern: 'messaging.setMessageStatus',
    summary: 'Mark a message as read; there is no way back',
    policy: adminsOnly,
    body: updateBody('MessageUpdate', { messageStatus }),
    versioned: true,
    answer: updated(message),
    failures: ['INVALID_TRANSITION'],
  }),
  deleteMessage: relay({
    at: 'DELETE /message/:id',
    pattern: 'messaging.removeMessage',
    summary: 'Delete a message',
    ...deletion,
  }),
  updateMessages: operation({
    at: 'PUT /messages/status',
    summary: 'Mark up to 100 messages as read',
    policy: adminsOnly,
    body: selection.extend({ messageStatus: z.literal('Read') }).meta({ id: 'MessagesUpdate' }),
    answer: selectionOutcome,
  }),
  deleteMessages: relay({
    at: 'POST /messages/delete',
    pattern: 'messaging.removeMessages',
    summary: 'Delete up to 100 messages',
    ...bulkChange,
    body: selection.meta({ id: 'MessagesDelete' }),
  }),
  restoreMessages: relay({
    at: 'POST /messages/restore',
    pattern: 'messaging.restoreMessages',
    summary: 'Bring back up to 100 messages that were deleted within the last hour, with their former ids',
    ...bulkChange,
    body: selection.meta({ id: 'MessagesRestore' }),
  }),
  exportMessages: csvExport({
    at: 'GET /messages/export',
    summary: 'All messages that pass the filter, as a CSV file',
    query: exportQuery(messageFilter),
  }),
});

export const messagingContract = {
  ...relayedIn(subscriberOperations),
  ...relayedIn(messageOperations),
  /** Found by the caller's address; empty unless it is verified. */
  getOwnData: query({
    pattern: 'messaging.ownData',
    access: 'customer',
    input: z.object({}),
    output: ownMessagingData,
  }),
  /**
   * Throws INVALID_INPUT. A repeated address, in any letter case, is stored once. An admin gets the existing record. Anybody else gets the answer for
   * a new address, which does not reveal who is subscribed. An address that is neither subscribed nor suppressed gets a confirmation mail, up to a
   * limit.
   */
  addSubscriber: command({
    pattern: 'messaging.addSubscriber',
    access: 'public',
    input: z.object({ body: subscriberInput, ip }),
    output: subscriber,
    // Kept only with the consent. The inbox leaves secrets out of a request's fingerprint, so a repetition may come from another IP address.
    secret: ['ip'],
  }),
  /**
   * Changes nothing. Throws NOT_FOUND for an unknown token, or a removed subscriber; but an unsubscribe link works while the removal can be undone.
   */
  getNewsletterSubscription: query({
    // The pattern keeps its older name, because gateways of the previous version call it.
    pattern: 'messaging.subscription',
    access: 'public',
    input: z.object({ link: newsletterLink, token: linkToken }),
    output: newsletterSubscription,
    secret: ['token'],
  }),
  /** With the token of a confirmation link. Throws NOT_FOUND. A link that is not open changes nothing, and the answer says why. */
  confirmSubscription: command({
    pattern: 'messaging.confirmSubscription',
    access: 'public',
    input: z.object({ token: linkToken, ip }),
    output: newsletterSubscription,
    secret: ['token', 'ip'],
  }),
  /**
   * With the link of any newsletter, however old. Repeating it is harmless. `campaign` is the one with the link; its figures count the
   * unsubscription. Throws NOT_FOUND.
   */
  unsubscribe: command({
    pattern: 'messaging.unsubscribe',
    access: 'public',
    input: z.object({ token: linkToken, campaign: z.string().max(100).optional() }),
    output: newsletterSubscription,
    secret: ['token'],
  }),
  /**
   * With an unsubscribe link: sends a confirmation mail, as signing up does. Undoes an admin's removal of an unsubscribed subscriber while that is
   * possible. Throws NOT_FOUND.
   */
  subscribeAgain: command({
    pattern: 'messaging.subscribeAgain',
    access: 'public',
    input: z.object({ token: linkToken, ip }),
    output: newsletterSubscription,
    secret: ['token', 'ip'],
  }),
  addMessage: command({
    pattern: 'messaging.addMessage',
    access: 'public',
    input: z.object({ body: messageInput }),
    output: message,
  }),
  /** A message that does not exist fails with NOT_FOUND. The pattern keeps its older name, because gateways of the previous version call it. */
  markMessagesRead: command({
    pattern: 'messaging.readMessages',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
} as const;

export const messageReceived = event('messages.received', z.object({ messageId: z.string() }));
