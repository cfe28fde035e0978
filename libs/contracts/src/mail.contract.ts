import { z } from 'zod';
import { created } from './answers.js';
import { command, event } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { exportQuery } from './inputs.js';
import { type CustomizableMail, customizableMails } from './mail-names.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { searchText } from './paging.js';
import { teamRole } from './project/team-role.js';
import { adminsIdempotent, adminsOnly, type Policy } from './policy.js';
import { isSingleLine, isStorable, requiredLine } from './text.js';

/** Anybody may have written the text, so it is cut. */
const shownLine = z
  .string()
  .transform((text) => text.slice(0, 200).toWellFormed())
  .refine((text) => isStorable(text) && isSingleLine(text), 'must be one line of text');

/** The link contains a secret token. */
const link = z.url({ protocol: /^https?$/ }).max(2000);

const moment = z.iso.datetime();

const secondFactorChange = z.enum([
  'totpAdded',
  'totpRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
]);
export type SecondFactorChange = z.infer<typeof secondFactorChange>;

/** By template, with the parameters of its text. At `expiresAt`, which the mail shows, a mail that is still queued is cancelled. */
export const accountMailParams = {
  verifyEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  resetPassword: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the new address. */
  changeEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the old address. `newEmailMasked`: like `a***@example.com`. */
  emailChanged: z.strictObject({ newEmailMasked: shownLine }),
  passwordChanged: z.strictObject({}),
  /** After a sign-in from a new device, except the account's first sign-in. `place`: the client's IP address. */
  newSignIn: z.strictObject({ device: shownLine, when: moment, place: shownLine.optional() }),
  accountDeleted: z.strictObject({}),
  secondFactorChanged: z.strictObject({ what: secondFactorChange }),
  /** To somebody who may have no account. `invitedBy`: an admin's address. */
  adminInvitation: z.strictObject({ link, expiresAt: moment, invitedBy: shownLine }),
  /** To a customer’s colleague, who may have no account. `ownerName`: the customer. */
  teamInvitation: z.strictObject({ link, expiresAt: moment, ownerName: shownLine, role: teamRole }),
} as const;

const mailRequestFor = <T extends keyof typeof accountMailParams>(template: T) =>
  z.object({
    /** A UUID that the requester chooses. One id is one mail, sent once. */
    mailId: z.uuid(),
    to: emailAddress,
    template: z.literal(template),
    params: accountMailParams[template],
  });

export const mailRequest = z.discriminatedUnion('template', [
  mailRequestFor('verifyEmail'),
  mailRequestFor('resetPassword'),
  mailRequestFor('changeEmail'),
  mailRequestFor('emailChanged'),
  mailRequestFor('passwordChanged'),
  mailRequestFor('newSignIn'),
  mailRequestFor('accountDeleted'),
  mailRequestFor('secondFactorChanged'),
  mailRequestFor('adminInvitation'),
  mailRequestFor('teamInvitation'),
]);
export type MailRequest = z.output<typeof mailRequest>;

/**
 * Appended to the outbox in the transaction of the change that the mail is about. Messaging queues the mail. The link is a secret: only messaging can
 * read the stream, and the event is deleted from Redis once messaging has handled it.
 */
export const mailRequested = event('mail.requested', mailRequest, {
  secret: ['link'],
  follower: 'messaging',
});

/** `queued` includes mails that wait for another attempt. */
export const mailState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled']);
export type MailState = z.infer<typeof mailState>;

const mailTemplate = z.object({
  template: z.string(),
  name: z.string(),
  /** Says who gets the mail, and when. */
  sent: z.string(),
  /** `site`: admins can switch the mail off for everyone. `admin`: each admin can switch it off for themselves. */
  switchedBy: z.enum(['site', 'admin', 'nobody']),
  /** The built-in subject and text, with placeholders like `{name}`; null if admins cannot change them. */
  wording: z
    .object({
      subject: z.string(),
      text: z.string(),
      placeholders: z.array(z.object({ name: z.string(), meaning: z.string() })),
    })
    .nullable(),
});
export type MailTemplateInfo = z.infer<typeof mailTemplate>;

/** An empty subject or text stands for the built-in one. */
export const mailWording = z.strictObject({
  template: z.enum(Object.keys(customizableMails) as CustomizableMail[]),
  subject: z.string().max(10_000).refine(isStorable, 'contains characters that cannot be stored'),
  text: z.string().max(10_000).refine(isStorable, 'contains characters that cannot be stored'),
});
export type MailWording = z.output<typeof mailWording>;

export const emailPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type EmailPreview = z.infer<typeof emailPreview>;

export const mail = z.object({
  _id: z.string(),
  template: z.string(),
  to: z.string(),
  /** Set when an answer of the mail server finishes the mail. Null before, and if the mail ends in another way, such as a cancellation. */
  subject: z.string().nullable(),
  state: mailState,
  attempts: z.int(),
  /** The mail server's last answer, why there was none, or why the mail bounced. */
  answer: z.string().nullable(),
  messageId: z.string(),
  /** Null while the mail is being sent, and once it is finished. */
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** When a report of failed delivery arrived. */
  bouncedAt: z.string().nullable(),
  resendOf: z.string().nullable(),
  campaignId: z.string().nullable(),
  /** Whether it is finished, has no one-time link, and is not part of a campaign. */
  resendable: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

const mailFilter = z.object({
  search: searchText.optional(),
  state: mailState.optional(),
  campaign: z.uuid({ error: 'is not a campaign' }).optional(),
  about: z
    .uuid({ error: 'is not an id' })
    .optional()
    .describe('The order, monthly plan, project, message or subscriber that the mails are about.'),
});

const mailStatus = z.object({
  /** False without `SMTP_URL`: mails stay in the queue. */
  on: z.boolean(),
  /** The sender; null while mail is off. */
  from: z.string().nullable(),
  /** Queued, or being sent at the moment. */
  waiting: z.int(),
  oldestAgeSeconds: z.number(),
  /** Of the mails that were created in the last seven days. */
  failed: z.int(),
});
export type MailStatus = z.infer<typeof mailStatus>;

const mailEvent = z
  .strictObject({
    /** An event that is reported again has the same id, and takes effect only once. */
    id: requiredLine(200),
    /** `bounce`: permanently undeliverable. `complaint`: reported as spam by the recipient. */
    kind: z.enum(['bounce', 'complaint']),
    messageId: requiredLine(998).optional(),
    /** The recipient. Used if there is no `messageId`, or no mail has it. */
    address: emailAddress.optional(),
    /** In the words of the recipient's mail server. */
    reason: requiredLine(500).optional(),
  })
  .refine(({ messageId, address }) => messageId !== undefined || address !== undefined, {
    path: ['address'],
    error: 'is required if there is no messageId',
  });
export type MailEvent = z.output<typeof mailEvent>;

export const mailEvents = z.strictObject({ events: z.array(mailEvent).min(1).max(500) });

/** Passed on unread, because messaging verifies who sent it. */
const rawBody = { maxBytes: 64 * 1024 };
const mailServers: Policy = { access: 'public', session: 'ignored', limit: 'mailReports' };
/** Whether the report marked a mail as bounced. */
const bounceReportAnswer = z.object({ bounced: z.boolean() });
/** How many events changed something. */
const mailEventsAnswer = z.object({ applied: z.int() });

export const mailOperations = grouped('Mail', {
  reportBounce: operation({
    at: 'POST /mail/bounces',
    summary:
      'Report a failed delivery (RFC 3464), from a mail server that sends the token from the settings as Bearer',
    policy: mailServers,
    rawBody,
    answer: bounceReportAnswer.meta({ id: 'BounceReported' }),
    failures: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  reportMailEvents: operation({
    at: 'POST /mail/events',
    summary:
      'Report bounces and complaints, from a mail provider, as JSON signed with the secret from the settings in the header `Mail-Signature: t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>", in hex>`',
    policy: mailServers,
    rawBody,
    answer: mailEventsAnswer.meta({ id: 'MailEventsReported' }),
    failures: ['INVALID_INPUT', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  listMails: list({
    at: 'GET /mails',
    pattern: 'messaging.listMails',
    summary: 'Mails in any state, newest first, with the mail server’s answer',
    policy: adminsOnly,
    filter: mailFilter,
    record: mail.meta({ id: 'Mail' }),
  }),
  getMailStatus: relay({
    at: 'GET /mail-status',
    pattern: 'messaging.mailStatus',
    summary: 'Whether mail is being sent, and how much is queued',
    policy: adminsOnly,
    answer: mailStatus.meta({ id: 'MailStatus' }),
  }),
  resendMail: relay({
    at: 'POST /mail/:id/resend',
    pattern: 'messaging.resendMail',
    summary:
      'Send a finished mail again, as a new one; refused for mails with a one-time link and mails of campaigns',
    policy: adminsIdempotent,
    answer: created(mail),
    failures: ['INVALID_TRANSITION'],
  }),
  listMailTemplates: relay({
    at: 'GET /mail-templates',
    pattern: 'messaging.listMailTemplates',
    summary:
      'Every kind of e-mail that the site sends, and the built-in subject and text of those that admins can change',
    policy: adminsOnly,
    answer: z.array(mailTemplate.meta({ id: 'MailTemplate' })),
  }),
  previewMailTemplate: relay({
    at: 'POST /mail-template-preview',
    pattern: 'messaging.previewMailTemplate',
    kind: 'query',
    summary: 'An e-mail with this subject and text, and sample data; nothing is stored',
    policy: adminsOnly,
    body: mailWording.meta({ id: 'MailWording' }),
    answer: emailPreview.meta({ id: 'EmailPreview' }),
  }),
  testMailTemplate: relay({
    at: 'POST /mail-template-test',
    pattern: 'messaging.testMailTemplate',
    summary:
      'Send an e-mail with this subject and text, and sample data, to your own address; at most 20 an hour',
    policy: adminsIdempotent,
    body: mailWording.meta({ id: 'MailWordingTest' }),
    status: 202,
    answer: z.object({ _id: z.string(), to: z.string() }).meta({ id: 'MailTemplateTest' }),
    failures: ['RATE_LIMITED'],
  }),
  exportMails: csvExport({
    at: 'GET /mails/export',
    summary: 'All mails that pass the filter, as a CSV file',
    query: exportQuery(mailFilter),
  }),
});

export const mailContract = {
  ...relayedIn(mailOperations),
  /**
   * A report of failed delivery (RFC 3464), as it arrived at our return address, which contains the mail's id. A report about an unknown mail, or
   * only about a delay, has no effect. Throws NOT_FOUND if the settings have no token, FORBIDDEN for a wrong one. Throws UNAVAILABLE if the mail is
   * not recorded as sent yet.
   */
  reportBounce: command({
    pattern: 'messaging.reportBounce',
    access: 'public',
    input: z.object({ token: z.string().max(500), report: z.base64().max(90_000) }),
    output: bounceReportAnswer,
    secret: ['token', 'report'],
  }),
  /**
   * `body` is the JSON of `mailEvents`, byte for byte, signed with the secret from the settings. Addresses that bounce permanently, or whose owners
   * complain, get no more newsletters. Throws NOT_FOUND without such a secret, FORBIDDEN without a valid signature, INVALID_INPUT if `body` has
   * another form. Throws UNAVAILABLE if a bounced mail is not recorded as sent yet. The other events have then taken effect; the bounce takes effect
   * when the report is repeated.
   */
  reportMailEvents: command({
    pattern: 'messaging.reportMailEvents',
    access: 'public',
    input: z.object({ signature: z.string().max(500), body: z.base64().max(90_000) }),
    output: mailEventsAnswer,
    secret: ['signature', 'body'],
  }),
} as const;
