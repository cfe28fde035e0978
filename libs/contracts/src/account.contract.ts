import { z } from 'zod';
import { command, event, query } from './contract.js';
import { account, client, emailAddress, password } from './identity.contract.js';
import { signInSecurity } from './second-factor.contract.js';

/** A sign-in of one's own that has not ended. */
export const accountSession = z.object({
  id: z.string(),
  /** In words, from what the browser calls itself: `Firefox on Windows`. */
  device: z.string(),
  /** The network address it was last used from. */
  address: z.string(),
  signedInAt: z.string(),
  /** To within the ten minutes that an access token lasts. */
  lastSeenAt: z.string(),
  /** The one that asks. */
  current: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

export const signInMethods = z.object({ password: z.boolean() });
export type SignInMethods = z.infer<typeof signInMethods>;

/** A sign-in elsewhere that opens the account. */
export const linkedIdentity = z.object({
  /** The address of who vouches for it: `https://accounts.google.com`. */
  issuer: z.string(),
  /** What the person is called there; not an e-mail address. */
  subject: z.string(),
  linkedAt: z.string(),
  lastUsedAt: z.string(),
});
export type LinkedIdentity = z.infer<typeof linkedIdentity>;

/** From a link in a mail: whoever has it has the mailbox. */
export const linkToken = z.string({ error: 'is required' }).min(1, 'is required').max(200);

/** Left out by accounts without a password. They, and accounts with a second factor, need a fresh sign-in: FRESH_SIGN_IN_REQUIRED. */
const presentPassword = password.optional();

export const accountContract = {
  /** The newest 100 that live. */
  sessions: query({
    pattern: 'identity.sessions',
    access: 'customer',
    input: z.object({}),
    output: z.array(accountSession),
  }),
  /** NOT_FOUND, also for another person's session. */
  endSession: command({
    pattern: 'identity.endSession',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.object({ ended: z.boolean() }),
  }),
  /** Every one, that of the caller too. */
  endAllSessions: command({
    pattern: 'identity.endAllSessions',
    access: 'customer',
    input: z.object({}),
    output: z.object({ ended: z.int() }),
  }),
  /**
   * Takes a link from a verification mail, or from one that confirms a change of address. LINK_EXPIRED, and EMAIL_TAKEN where
   * the address has become another account's meanwhile.
   */
  verifyEmail: command({
    pattern: 'identity.verifyEmail',
    access: 'public',
    input: z.object({ token: linkToken }),
    output: z.object({ email: z.string() }),
    secret: ['token'],
  }),
  /** RATE_LIMITED. Nothing happens for an address that is verified. */
  resendVerification: command({
    pattern: 'identity.resendVerification',
    access: 'customer',
    input: z.object({}),
    output: z.object({ sent: z.boolean() }),
  }),
  /** The same answer, after the same work, whether or not the address has an account. */
  forgotPassword: command({
    pattern: 'identity.forgotPassword',
    access: 'public',
    input: z.object({ email: emailAddress }),
    output: z.object({ accepted: z.literal(true) }),
  }),
  /** LINK_EXPIRED, INVALID_INPUT, WEAK_PASSWORD, OVERLOADED. Ends every session of the account. */
  resetPassword: command({
    pattern: 'identity.resetPassword',
    access: 'public',
    input: z.object({ token: linkToken, password }),
    output: z.object({ email: z.string() }),
    secret: ['token', 'password'],
  }),
  /** INVALID_INPUT (also for a wrong present password), WEAK_PASSWORD, FRESH_SIGN_IN_REQUIRED, RATE_LIMITED, OVERLOADED. Ends the other sessions. */
  changePassword: command({
    pattern: 'identity.changePassword',
    access: 'customer',
    input: z.object({ currentPassword: presentPassword, password, client }),
    output: z.object({ endedSessions: z.int() }),
    secret: ['currentPassword', 'password'],
  }),
  /** Mails a link to the new address; the change waits for it. INVALID_INPUT, FRESH_SIGN_IN_REQUIRED, RATE_LIMITED, OVERLOADED. */
  changeEmail: command({
    pattern: 'identity.changeEmail',
    access: 'customer',
    input: z.object({ email: emailAddress, currentPassword: presentPassword, client }),
    output: z.object({ accepted: z.literal(true) }),
    secret: ['currentPassword'],
  }),
  /** INVALID_INPUT, FRESH_SIGN_IN_REQUIRED, LAST_ADMIN, RATE_LIMITED, OVERLOADED. */
  deleteAccount: command({
    pattern: 'identity.deleteAccount',
    access: 'customer',
    input: z.object({ currentPassword: presentPassword, client }),
    output: z.object({ deleted: z.literal(true) }),
    secret: ['currentPassword'],
  }),
  /** How the caller can prove who they are. */
  signInMethods: query({
    pattern: 'identity.signInMethods',
    access: 'customer',
    input: z.object({}),
    output: signInMethods,
  }),
  /** What identity knows of the caller, for the copy of their data. */
  accountData: query({
    pattern: 'identity.accountData',
    access: 'customer',
    input: z.object({}),
    output: z.object({
      account: account.extend({ registeredAt: z.string() }),
      signInMethods,
      linkedIdentities: z.array(linkedIdentity),
      /** What there is, by its name and days. Nothing of it signs anybody in. */
      secondFactors: signInSecurity.pick({ totp: true, passkeys: true, recoveryCodesLeft: true }),
      sessions: z.array(accountSession),
    }),
  }),
} as const;

/**
 * An account is gone, for good. Whoever keeps something of that person blanks or drops it. `email` is there only if the address was
 * verified: else deleting a made-up account would delete what belongs to the address's real owner.
 */
export const accountDeleted = event(
  'identity.accountDeleted',
  z.object({ accountId: z.string(), email: z.string().nullable() }),
);
