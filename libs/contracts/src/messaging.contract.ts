import { z } from 'zod';
import { bulkOutcome, chosenIds } from './bulk.js';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { mail } from './mail.contract.js';
import { pageOf, pageRequest, searchText, sortDirection } from './paging.js';
import { isSingleLine, writtenLine, writtenText } from './text.js';

const meta = {
  createdAt: z.string(),
  updatedAt: z.string(),
  /** 1 at creation, one more at each change. */
  version: z.int(),
};

/**
 * `pending`: not confirmed by the address's owner. `subscribed`: gets the newsletter. `unsubscribed`: wants it no more. `suppressed`: mail to
 * the address came back for good; it gets none until an admin lifts that.
 */
export const subscriberStatus = z.enum(['pending', 'subscribed', 'unsubscribed', 'suppressed']);
export type SubscriberStatus = z.infer<typeof subscriberStatus>;

/** How an address came to the list. */
export const consentSource = z.enum(['form', 'import', 'admin']);
export type ConsentSource = z.infer<typeof consentSource>;

/** An address for which the newsletter was asked. */
export const subscriber = z.object({
  _id: z.string(),
  email: z.string(),
  status: subscriberStatus,
  ...meta,
});
export type Subscriber = z.infer<typeof subscriber>;

/** The same as admins see it: with what shows that its owner wants the newsletter, and what became of that. */
export const subscriberRecord = subscriber.extend({
  /** Null where nothing is known of it. */
  consent: z
    .object({
      at: z.string(),
      source: consentSource,
      /** What the person was shown, or where an admin says that consent was given; null where nobody kept it. */
      text: z.string().nullable(),
      /** The address that it came from; null unless the person gave it here. */
      ip: z.string().nullable(),
    })
    .nullable(),
  /** When the owner of the address pressed the button behind the link of the mail. */
  confirmedAt: z.string().nullable(),
  confirmedIp: z.string().nullable(),
  unsubscribedAt: z.string().nullable(),
  /** Why mail is no longer sent there, in the words of the other mail server. */
  suppressed: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type SubscriberRecord = z.infer<typeof subscriberRecord>;

/**
 * What somebody agrees to where the content does not say it: at the form. What stood there when they signed up is kept with the consent, and said
 * in the mail that asks to confirm and above the button of its page.
 */
export const newsletterConsent =
  'Send me the newsletter by e-mail. I can unsubscribe at any time with the link in every issue.';

/** Where a link of a mail leads: its token is the proof, so it reaches no log. */
export const subscriptionLink = z.enum(['confirm', 'unsubscribe']);
export type SubscriptionLink = z.infer<typeof subscriptionLink>;

/** What the holder of such a link may know. */
export const subscription = z.object({
  /** Like `a***@example.com`. */
  emailMasked: z.string(),
  status: subscriberStatus,
  /**
   * Of a link to confirm. `open`: the button confirms. `done`: confirmed before. `used`: good for an earlier sign-up. A link to unsubscribe is
   * always `open`.
   */
  link: z.enum(['open', 'done', 'used', 'expired']),
  /** Of a link to confirm that is `done`: what opens `/unsubscribe`. */
  unsubscribeToken: z.string().nullable(),
  /** What they agree to by confirming. */
  consent: z.string(),
});
export type Subscription = z.infer<typeof subscription>;

/** The page behind a link of a newsletter, or of the mail that asks to confirm it. */
export const subscriptionPage = z.object({
  link: subscriptionLink,
  token: z.string(),
  /** Null for a link that is none. */
  subscription: subscription.nullable(),
  /** A mail that asks to confirm was asked for on this page. */
  asked: z.boolean(),
  /** Of a link to unsubscribe: the campaign that it was in. */
  campaign: z.string().optional(),
});
export type SubscriptionPage = z.infer<typeof subscriptionPage>;

const linkToken = z.string().max(200);
/** Where the request came from, to be kept with the consent. */
const ip = z.string().max(100).optional();

/** `UnRead` on arrival, `Read` once an admin says so; there is no way back. */
export const messageStatus = z.enum(['UnRead', 'Read']);
export type MessageStatus = z.infer<typeof messageStatus>;

/** What a visitor wrote through the contact form. */
export const message = z.object({
  _id: z.string(),
  fullName: z.string(),
  emailAddress: z.string(),
  subject: z.string(),
  message: z.string(),
  messageStatus,
  ...meta,
});
export type Message = z.infer<typeof message>;

export const subscriberSort = z.enum(['createdAt', 'email']);
/** ISO 8601. */
export const messageMoment = z.iso.datetime({
  offset: true,
  error: 'must be a date and time like 2026-11-21T09:30:00Z',
});

export const messageSort = z.enum(['createdAt', 'fullName']);

/** Looked at before the blanks around it are taken off: a line break there is no slip of a person. */
const writtenAddress = z
  .string({ error: ({ input }) => (input === undefined ? 'Email is Required' : undefined) })
  .refine(isSingleLine, 'must be one line of text')
  .pipe(emailAddress);

/** The body of `POST /add-subscriber`. */
export const subscriberInput = z.strictObject({ email: writtenAddress });

/** The body of `POST /add-message`. A message arrives unread, whether or not it says so. */
export const messageInput = z.strictObject({
  fullName: writtenLine(300),
  emailAddress: writtenAddress,
  subject: writtenLine(300),
  message: writtenText(10_000),
  messageStatus: z.literal('UnRead').default('UnRead'),
});
export type MessageInput = z.output<typeof messageInput>;

/** Of one person, at most: nobody reads more, and an answer has to end. */
export const ownDataLimit = 1000;

/** What messaging keeps of one person. */
export const ownMessagingData = z.object({
  messages: z.array(message),
  subscription: subscriberRecord
    .omit({ _id: true, createdAt: true, updatedAt: true, version: true })
    .extend({ since: z.string() })
    .nullable(),
  /** What was sent to their address, newest first; what it said is not kept. */
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

export const messagingContract = {
  /** Of the caller, by their address; nothing while that is not verified. */
  ownData: query({
    pattern: 'messaging.ownData',
    access: 'customer',
    input: z.object({}),
    output: ownMessagingData,
  }),
  /**
   * INVALID_INPUT. A repeated address, in whatever letter case, is welcome and stored once. An admin is answered the record there is;
   * anybody else an answer like that to a new address, which does not tell who is subscribed. Who is not gets a mail that asks to confirm, a
   * few times at most.
   */
  addSubscriber: command({
    pattern: 'messaging.addSubscriber',
    access: 'public',
    input: z.object({ body: subscriberInput, ip }),
    output: subscriber,
    // No secret, but nobody's to keep longer than the consent, and a repeated request may come from elsewhere.
    secret: ['ip'],
  }),
  /** What a link of a mail stands for. Changes nothing. NOT_FOUND for a token that is none, or whose subscriber is gone. */
  subscription: query({
    pattern: 'messaging.subscription',
    access: 'public',
    input: z.object({ link: subscriptionLink, token: linkToken }),
    output: subscription,
    secret: ['token'],
  }),
  /** By the link of the mail. Once confirmed it stays so. NOT_FOUND; a link that is not open changes nothing, and the answer tells why. */
  confirmSubscription: command({
    pattern: 'messaging.confirmSubscription',
    access: 'public',
    input: z.object({ token: linkToken, ip }),
    output: subscription,
    secret: ['token', 'ip'],
  }),
  /** By the link of any newsletter, however old; `campaign` is the one that it was in, which counts it. Again is as good. NOT_FOUND. */
  unsubscribe: command({
    pattern: 'messaging.unsubscribe',
    access: 'public',
    input: z.object({ token: linkToken, campaign: z.string().max(100).optional() }),
    output: subscription,
    secret: ['token'],
  }),
  /** By the link to unsubscribe: asks to confirm by a mail, as signing up does. NOT_FOUND. */
  subscribeAgain: command({
    pattern: 'messaging.subscribeAgain',
    access: 'public',
    input: z.object({ token: linkToken, ip }),
    output: subscription,
    secret: ['token', 'ip'],
  }),
  /** INVALID_INPUT for a cursor that is none. Searches the addresses. */
  listSubscribers: query({
    pattern: 'messaging.listSubscribers',
    access: 'admin',
    input: pageRequest.extend({
      search: searchText.optional(),
      status: subscriberStatus.optional(),
      sort: subscriberSort.default('createdAt'),
      direction: sortDirection.default('desc'),
    }),
    output: pageOf(subscriberRecord),
  }),
  /** Mail may be sent there again; the status is that of before. NOT_FOUND, INVALID_TRANSITION for one that is not suppressed, VERSION_MISMATCH. */
  liftSuppression: command({
    pattern: 'messaging.liftSuppression',
    access: 'admin',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: subscriberRecord,
  }),
  /** NOT_FOUND, VERSION_MISMATCH. */
  removeSubscriber: command({
    pattern: 'messaging.removeSubscriber',
    access: 'admin',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string() }),
  }),
  /** Of each: NOT_FOUND. */
  removeSubscribers: command({
    pattern: 'messaging.removeSubscribers',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
  /** For an hour after they were removed. Of each: NOT_FOUND, DUPLICATE when the address has subscribed again. */
  restoreSubscribers: command({
    pattern: 'messaging.restoreSubscribers',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
  /** INVALID_INPUT. */
  addMessage: command({
    pattern: 'messaging.addMessage',
    access: 'public',
    input: z.object({ body: messageInput }),
    output: message,
  }),
  /** INVALID_INPUT for a cursor that is none. Searches name, address, subject and text. */
  listMessages: query({
    pattern: 'messaging.listMessages',
    access: 'admin',
    input: pageRequest.extend({
      search: searchText.optional(),
      messageStatus: messageStatus.optional(),
      /** First and last moment of arrival, ISO 8601. */
      from: messageMoment.optional(),
      to: messageMoment.optional(),
      sort: messageSort.default('createdAt'),
      direction: sortDirection.default('desc'),
    }),
    output: pageOf(message),
  }),
  /** NOT_FOUND for an unknown or malformed id. */
  message: query({
    pattern: 'messaging.message',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: message,
  }),
  /** NOT_FOUND, VERSION_MISMATCH (with the current record), INVALID_TRANSITION for anything but `Read`. */
  setMessageStatus: command({
    pattern: 'messaging.setMessageStatus',
    access: 'admin',
    input: z.object({ id: z.string(), messageStatus, ifVersion: z.int().optional() }),
    output: z.object({ record: message, modified: z.boolean() }),
  }),
  /** NOT_FOUND, VERSION_MISMATCH. */
  removeMessage: command({
    pattern: 'messaging.removeMessage',
    access: 'admin',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string() }),
  }),
  /** Of each: NOT_FOUND. */
  readMessages: command({
    pattern: 'messaging.readMessages',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
  /** Of each: NOT_FOUND. */
  removeMessages: command({
    pattern: 'messaging.removeMessages',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
  /** For an hour after they were removed. Of each: NOT_FOUND. */
  restoreMessages: command({
    pattern: 'messaging.restoreMessages',
    access: 'admin',
    input: z.object({ ids: chosenIds }),
    output: bulkOutcome,
  }),
} as const;

/** A message arrived. What it says stays in the database: whoever follows asks for it. */
export const messageReceived = event('messages.received', z.object({ messageId: z.string() }));
