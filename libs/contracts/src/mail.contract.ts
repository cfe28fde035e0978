import { z } from 'zod';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { pageOf, pageRequest, searchText } from './paging.js';
import { isSingleLine, isStorable, writtenLine } from './text.js';

/** Text of another's making (a browser's name, a place) that stands in a mail: one line, cut to what a line can hold. */
const shown = z
  .string()
  .transform((text) => text.slice(0, 200))
  .refine((text) => isStorable(text) && isSingleLine(text), 'must be one line of text');

/** An address of this site that the person opens; whoever has it can act for them. */
const link = z.url({ protocol: /^https?$/ }).max(2000);

/** ISO 8601, UTC. */
const moment = z.iso.datetime();

/** What of a second factor changed. */
export const secondFactorChange = z.enum([
  'totpAdded',
  'totpRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
  'googleLinked',
  'googleUnlinked',
]);
export type SecondFactorChange = z.infer<typeof secondFactorChange>;

/**
 * The mails about an account, each with what its text needs to know. `expiresAt` is said in the mail, and a mail that could not be
 * sent by then is not sent any more: its link is dead.
 */
export const accountMails = {
  verifyEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  resetPassword: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the new address. */
  changeEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the old address. `newEmailMasked`: like `a***@example.com`. */
  emailChanged: z.strictObject({ newEmailMasked: shown }),
  passwordChanged: z.strictObject({}),
  /** From a device that the account had not been used from. */
  newSignIn: z.strictObject({ device: shown, when: moment, place: shown.optional() }),
  accountDeleted: z.strictObject({}),
  secondFactorChanged: z.strictObject({ what: secondFactorChange }),
} as const;

const request = <T extends keyof typeof accountMails>(template: T) =>
  z.object({
    /** The mail's id, a UUID of the asker's choice: the same id is the same mail, and goes out once. */
    mailId: z.uuid(),
    to: emailAddress,
    template: z.literal(template),
    params: accountMails[template],
  });

export const mailRequest = z.discriminatedUnion('template', [
  request('verifyEmail'),
  request('resetPassword'),
  request('changeEmail'),
  request('emailChanged'),
  request('passwordChanged'),
  request('newSignIn'),
  request('accountDeleted'),
  request('secondFactorChanged'),
]);
export type MailRequest = z.output<typeof mailRequest>;

/**
 * Identity wants a mail to go out. Appended to the outbox in the transaction of what the mail tells of; messaging queues it.
 * Its link is a secret: it reaches no log and no dead letter, the event leaves Redis once messaging had it, and it has a stream of
 * its own, which nobody else may read.
 */
export const mailRequested = event('mail.requested', mailRequest, {
  secret: ['link'],
  follower: 'messaging',
});

/** What became of a mail so far. `queued` includes those that wait for another attempt. */
export const mailState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled']);
export type MailState = z.infer<typeof mailState>;

/** The e-mails whose text admins can change, and which they can switch off: template and label. */
export const notificationEmails = {
  orderPlaced: 'Order placed',
  orderPaid: 'Order paid',
  orderCancelled: 'Order cancelled',
  orderRefunded: 'Order refunded',
  orderPartlyRefunded: 'Order partly refunded',
  orderPaidTwice: 'Order paid twice',
  orderPaymentFailed: 'Order payment failed',
  orderDelivered: 'Order delivered',
  paymentFlagged: 'Payment needs attention',
  messageReceived: 'New contact message',
  newSignIn: 'New sign-in',
} as const;
export type NotificationEmail = keyof typeof notificationEmails;

/** All e-mails whose text admins can change. The last one cannot be switched off, since nobody could sign up for the newsletter without it. */
export const customizableMails = {
  ...notificationEmails,
  confirmSubscription: 'Newsletter confirmation',
} as const;
export const customizableMailNames = Object.values(customizableMails);

/** A mail as the list of them shows it. */
export const mail = z.object({
  _id: z.string(),
  /** Which mail it is: `verifyEmail`, `orderPaid`, … */
  template: z.string(),
  to: z.string(),
  /** Null until it was written, at the first attempt. */
  subject: z.string().nullable(),
  state: mailState,
  attempts: z.int(),
  /** What the mail server said last, or why it could not be asked. */
  answer: z.string().nullable(),
  messageId: z.string(),
  /** When it is tried next; null when nothing is to come. */
  nextAttemptAt: z.string().nullable(),
  /** Sent, failed or cancelled. */
  finishedAt: z.string().nullable(),
  /** A report came back that it could not be delivered. */
  bouncedAt: z.string().nullable(),
  /** The mail that this one repeats. */
  resendOf: z.string().nullable(),
  /** The campaign whose mail it is. */
  campaignId: z.string().nullable(),
  /** It can be sent once more: it is done with, held no link that worked once, and is of no campaign. */
  resendable: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

/** What the list of mails can be narrowed by. */
export const mailFilter = z.object({
  search: searchText.optional(),
  state: mailState.optional(),
  /** Of one campaign. */
  campaign: z.uuid({ error: 'is not a campaign' }).optional(),
});

export const mailStatus = z.object({
  /** False without `SMTP_URL`: mails wait. */
  on: z.boolean(),
  /** Whom mails are from; null while mail is off. */
  from: z.string().nullable(),
  /** Mails that are not sent yet. */
  waiting: z.int(),
  /** How long the oldest of them has waited, in seconds. */
  oldestAgeSeconds: z.number(),
  /** Of the last seven days. */
  failed: z.int(),
});
export type MailStatus = z.infer<typeof mailStatus>;

/** What became of a mail after a server took it, as its provider tells. */
export const mailEvent = z
  .strictObject({
    /** The same id is the same event, and counts once. */
    id: writtenLine(200),
    /** `bounce`: it cannot be delivered, for good. `complaint`: who got it reported it as spam. */
    kind: z.enum(['bounce', 'complaint']),
    /** The `Message-ID` of the mail. */
    messageId: writtenLine(998).optional(),
    /** Whom it was to; enough where the mail is not known. */
    address: emailAddress.optional(),
    /** In the words of the other server. */
    reason: writtenLine(500).optional(),
  })
  .refine(({ messageId, address }) => messageId !== undefined || address !== undefined, {
    path: ['address'],
    error: 'is required if there is no messageId',
  });
export type MailEvent = z.output<typeof mailEvent>;

/** The body of `POST /mail/events`. */
export const mailEvents = z.strictObject({ events: z.array(mailEvent).min(1).max(500) });

export const mailContract = {
  /** INVALID_INPUT for a cursor that is none. Searches address and subject. Newest first. */
  list: query({
    pattern: 'messaging.listMails',
    access: 'admin',
    input: pageRequest.extend(mailFilter.shape),
    output: pageOf(mail),
  }),
  status: query({
    pattern: 'messaging.mailStatus',
    access: 'admin',
    input: z.object({}),
    output: mailStatus,
  }),
  /** A new mail of the same words to the same address. NOT_FOUND, INVALID_TRANSITION for one that is under way, held a link or is of a campaign. */
  resend: command({
    pattern: 'messaging.resendMail',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: mail,
  }),
  /**
   * A report that a mail could not be delivered (RFC 3464), as the mail server of the return path got it; that address tells which mail
   * it was. NOT_FOUND where the settings have no token, FORBIDDEN without that one. A report about nothing of ours, or of a delay, is taken and has no effect.
   */
  reportBounce: command({
    pattern: 'messaging.reportBounce',
    access: 'public',
    input: z.object({ token: z.string().max(500), report: z.base64().max(90_000) }),
    output: z.object({ bounced: z.boolean() }),
    secret: ['token', 'report'],
  }),
  /**
   * Events that a provider tells of, signed with the secret of the settings: `body` is `mailEvents` as it was sent. What comes back for good, or
   * is called spam, gets no newsletter any more. NOT_FOUND where the settings have no secret, FORBIDDEN without a good signature, INVALID_INPUT.
   * UNAVAILABLE when one came back of which it is not recorded yet that it was sent: the others took effect, that one does when it is told again.
   */
  reportEvents: command({
    pattern: 'messaging.reportMailEvents',
    access: 'public',
    input: z.object({ signature: z.string().max(500), body: z.base64().max(90_000) }),
    output: z.object({ applied: z.int() }),
    secret: ['signature', 'body'],
  }),
} as const;
