import { z } from 'zod';
import { event } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { isSingleLine, isStorable } from './text.js';

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
 * Its link is a secret: it reaches no log and no dead letter, and the event leaves Redis once messaging had it.
 */
export const mailRequested = event('identity.mailRequested', mailRequest, {
  secret: ['link'],
  follower: 'messaging',
});

/** What became of a mail so far. `queued` includes those that wait for another attempt. */
export const mailState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled']);
export type MailState = z.infer<typeof mailState>;
