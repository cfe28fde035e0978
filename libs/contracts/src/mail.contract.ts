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
import { isSingleLine, isStorable, writtenLine } from './text.js';

/** One line that a mail shows, such as a name or a device, cut to 200 characters. Anybody may have written it. */
const shownLine = z
  .string()
  .transform((text) => text.slice(0, 200).toWellFormed())
  .refine((text) => isStorable(text) && isSingleLine(text), 'must be one line of text');

/** A link to this site with a secret token, for example to choose a new password. */
const link = z.url({ protocol: /^https?$/ }).max(2000);

/** ISO 8601, UTC. */
const moment = z.iso.datetime();

/** What happened to a second factor or a recovery code. */
const secondFactorChange = z.enum([
  'totpAdded',
  'totpRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
]);
export type SecondFactorChange = z.infer<typeof secondFactorChange>;

/**
 * The mails about an account, and invitations, each with the parameters of its text. `expiresAt` is shown in the mail. A mail that is still
 * queued at that time is cancelled, because its link no longer works.
 */
export const accountMails = {
  verifyEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  resetPassword: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the new address. */
  changeEmail: z.strictObject({ link, expiresAt: moment.optional() }),
  /** To the old address. `newEmailMasked`: like `a***@example.com`. */
  emailChanged: z.strictObject({ newEmailMasked: shownLine }),
  passwordChanged: z.strictObject({}),
  /** After a sign-in from a new device, unless it is the account's first one. `place`: the client's IP address. */
  newSignIn: z.strictObject({ device: shownLine, when: moment, place: shownLine.optional() }),
  accountDeleted: z.strictObject({}),
  secondFactorChanged: z.strictObject({ what: secondFactorChange }),
  /** To somebody who may have no account. `invitedBy`: an admin's address. */
  adminInvitation: z.strictObject({ link, expiresAt: moment, invitedBy: shownLine }),
  /** To a customer’s colleague, who may have no account. `ownerName`: the customer. */
  teamInvitation: z.strictObject({ link, expiresAt: moment, ownerName: shownLine, role: teamRole }),
} as const;

const request = <T extends keyof typeof accountMails>(template: T) =>
  z.object({
    /** The mail's id, a UUID chosen by the requester: the same id is the same mail, and is sent once. */
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
  request('adminInvitation'),
  request('teamInvitation'),
]);
export type MailRequest = z.output<typeof mailRequest>;

/**
 * Identity or projects requests a mail. The event is appended to the outbox in the transaction of the change that the mail is about; messaging
 * queues the mail. The link is a secret: it reaches no log and no dead letter, the event is deleted from Redis once messaging has handled it, and
 * its stream can be read by messaging only.
 */
export const mailRequested = event('mail.requested', mailRequest, {
  secret: ['link'],
  follower: 'messaging',
});

/** The state of a mail. `queued` includes mails that wait for another attempt. */
export const mailState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled']);
export type MailState = z.infer<typeof mailState>;

/** One kind of e-mail. */
const mailTemplate = z.object({
  /** `orderPaid`, `verifyEmail`, … */
  template: z.string(),
  name: z.string(),
  /** Who gets it, and when. */
  sent: z.string(),
  /** Who can switch it off. `site`: admins, for everyone. `admin`: each admin, for themselves only. */
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

/** A subject and a text as an admin types them. An empty one stands for the built-in one. */
export const mailWording = z.strictObject({
  template: z.enum(Object.keys(customizableMails) as CustomizableMail[]),
  subject: z.string().max(10_000).refine(isStorable, 'contains characters that cannot be stored'),
  text: z.string().max(10_000).refine(isStorable, 'contains characters that cannot be stored'),
});
export type MailWording = z.output<typeof mailWording>;

/** An e-mail as it would arrive. */
export const emailPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type EmailPreview = z.infer<typeof emailPreview>;

/** A mail as shown in the list. */
export const mail = z.object({
  _id: z.string(),
  /** The kind of mail: `verifyEmail`, `orderPaid`, … */
  template: z.string(),
  to: z.string(),
  /** Null until the mail is finished, and afterwards if it ended without the mail server's answer, for example because it was cancelled. */
  subject: z.string().nullable(),
  state: mailState,
  attempts: z.int(),
  /** The mail server's last answer, why there was none, or why the mail bounced. */
  answer: z.string().nullable(),
  messageId: z.string(),
  /** When the next attempt is; null while the mail is being sent, and once it is finished. */
  nextAttemptAt: z.string().nullable(),
  /** When it was sent, failed or cancelled. */
  finishedAt: z.string().nullable(),
  /** When a report of failed delivery arrived. */
  bouncedAt: z.string().nullable(),
  /** The mail that this one resends. */
  resendOf: z.string().nullable(),
  /** The campaign it belongs to. */
  campaignId: z.string().nullable(),
  /** Whether it can be resent: it is finished, has no one-time link, and is not part of a campaign. */
  resendable: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

/** The filters of the list of mails. */
const mailFilter = z.object({
  search: searchText.optional(),
  state: mailState.optional(),
  /** The mails of one campaign. */
  campaign: z.uuid({ error: 'is not a campaign' }).optional(),
  about: z
    .uuid({ error: 'is not an id' })
    .optional()
    .describe('The order, monthly plan, project, message or subscriber that the mails are about.'),
});

const mailStatus = z.object({
  /** False without `SMTP_URL`: mails are kept in the queue. */
  on: z.boolean(),
  /** The sender; null while mail is off. */
  from: z.string().nullable(),
  /** Mails that are not sent yet. */
  waiting: z.int(),
  /** The age of the oldest of them, in seconds. */
  oldestAgeSeconds: z.number(),
  /** Mails of the last seven days that failed. */
  failed: z.int(),
});
export type MailStatus = z.infer<typeof mailStatus>;

/** What happened to a mail after it was sent, as the mail provider reports it. */
const mailEvent = z
  .strictObject({
    /** The same id is the same event, and counts once. */
    id: writtenLine(200),
    /** `bounce`: permanently undeliverable. `complaint`: reported as spam by the recipient. */
    kind: z.enum(['bounce', 'complaint']),
    /** The `Message-ID` of the mail. */
    messageId: writtenLine(998).optional(),
    /** The recipient. Used if there is no `messageId`, or if we have no mail with that one. */
    address: emailAddress.optional(),
    /** Why the recipient's mail server refused the mail, in its own words. */
    reason: writtenLine(500).optional(),
  })
  .refine(({ messageId, address }) => messageId !== undefined || address !== undefined, {
    path: ['address'],
    error: 'is required if there is no messageId',
  });
export type MailEvent = z.output<typeof mailEvent>;

/** The body of `POST /mail/events`. */
export const mailEvents = z.strictObject({ events: z.array(mailEvent).min(1).max(500) });

/** The gateway passes the body on unread, because messaging verifies who sent it. */
const rawBody = { maxBytes: 64 * 1024 };
const mailServers: Policy = { access: 'public', session: 'ignored', limit: 'mailReports' };
/** `bounced`: whether the report marked a mail as bounced. */
const bounceReportAnswer = z.object({ bounced: z.boolean() });
/** `applied`: how many events changed something. */
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
    summary: 'Send a finished mail again, as a new one; not one with a one-time link or of a campaign',
    policy: adminsIdempotent,
    answer: created(mail),
    failures: ['INVALID_TRANSITION'],
  }),
  listMailTemplates: relay({
    at: 'GET /mail-templates',
    pattern: 'messaging.listMailTemplates',
    summary: 'Every kind of e-mail that the site sends, with its built-in subject and text',
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
   * A report that a mail could not be delivered (RFC 3464), as it arrived at our return address, which contains the mail's id. Throws NOT_FOUND if
   * the settings have no token, FORBIDDEN for a wrong one. A report about an unknown mail, or about a delay, is accepted and has no effect.
   */
  reportBounce: command({
    pattern: 'messaging.reportBounce',
    access: 'public',
    input: z.object({ token: z.string().max(500), report: z.base64().max(90_000) }),
    output: bounceReportAnswer,
    secret: ['token', 'report'],
  }),
  /**
   * Events that a provider reports, signed with the secret from the settings: `body` is the JSON of `mailEvents`, byte for byte. Addresses that
   * bounce for good, or whose owners complain, get no more newsletters. Throws NOT_FOUND if the settings have no secret, FORBIDDEN without a valid
   * signature, INVALID_INPUT. Throws UNAVAILABLE if a bounced mail is not recorded as sent yet: the other events took effect, and its bounce will
   * when it is reported again.
   */
  reportEvents: command({
    pattern: 'messaging.reportMailEvents',
    access: 'public',
    input: z.object({ signature: z.string().max(500), body: z.base64().max(90_000) }),
    output: mailEventsAnswer,
    secret: ['signature', 'body'],
  }),
} as const;
