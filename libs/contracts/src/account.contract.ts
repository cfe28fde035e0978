import { z } from 'zod';
import { acknowledged, done, doneWith } from './answers.js';
import { command, event, query } from './contract.js';
import { client } from './client.js';
import { account, emailAddress, password } from './identity.contract.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { signedInOnly, openToAll, type Policy } from './policy.js';
import { signInSecurity } from './second-factor.contract.js';

const accountSession = z.object({
  id: z.string(),
  /** Derived from the user agent, e.g. `Firefox on Windows`. */
  device: z.string(),
  /** The IP address that last used the session. */
  address: z.string(),
  signedInAt: z.string(),
  /** Accurate to ten minutes, the lifetime of an access token. */
  lastSeenAt: z.string(),
  /** Whether it is the caller's session. */
  current: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

export const signInMethods = z.object({ password: z.boolean() });
export type SignInMethods = z.infer<typeof signInMethods>;

const linkedIdentity = z.object({
  /** For Google, `https://accounts.google.com`. */
  issuer: z.string(),
  subject: z.string(),
  linkedAt: z.string(),
  lastUsedAt: z.string(),
});
export type LinkedIdentity = z.infer<typeof linkedIdentity>;

export const linkToken = z.string({ error: 'is required' }).min(1, 'is required').max(200);

const currentPassword = password
  .optional()
  .describe(
    'Accounts without a password leave it out, and need a fresh sign-in (`POST /auth/confirm`, or `GET /auth/google` with the purpose `confirm`) instead. Accounts with a password and a second factor need both.',
  );

const emailOutput = z.object({ email: z.string() });
/** For calls that check the current password: they are limited like signing in. `changeEmail` has the limit `mail` instead. */
const withCurrentPassword: Policy = { ...signedInOnly, limit: 'signIn' };

export const accountOperations = grouped('Your account', {
  /** The token is from a verification mail, or from one that confirms a change of address. */
  verifyEmail: relay({
    at: 'POST /auth/verify-email',
    pattern: 'identity.verifyEmail',
    summary:
      'Confirm an address with the token of a link from a mail; repeating the call with a used link succeeds while the account still has the address that the link confirmed',
    policy: { ...openToAll, limit: 'signIn' },
    body: z.strictObject({ token: linkToken }).meta({ id: 'LinkToken' }),
    secret: ['token'],
    answer: doneWith(emailOutput),
    failures: ['LINK_EXPIRED', 'EMAIL_TAKEN'],
    invalidates: 'cachedSessions',
  }),
  resendVerification: relay({
    at: 'POST /auth/resend-verification',
    pattern: 'identity.resendVerification',
    summary: 'Send another confirmation link; nothing happens once the address is confirmed',
    policy: { ...signedInOnly, limit: 'mail' },
    answer: done(z.object({ sent: z.boolean() })),
  }),
  /** Takes the same time whether or not the address has an account. */
  forgotPassword: relay({
    at: 'POST /auth/forgot-password',
    pattern: 'identity.forgotPassword',
    summary:
      'Send a link to set a new password, if the address has an account; the answer does not say whether it has one',
    policy: { ...openToAll, limit: 'mail' },
    body: z.strictObject({ email: emailAddress }).meta({ id: 'ForgotPassword' }),
    status: 202,
    answer: done(z.object({ accepted: z.literal(true) })),
  }),
  resetPassword: relay({
    at: 'POST /auth/reset-password',
    pattern: 'identity.resetPassword',
    summary: 'Set a new password with the token of a link from a mail; every session of the account ends',
    policy: { ...openToAll, limit: 'signIn' },
    body: z.strictObject({ token: linkToken, password }).meta({ id: 'ResetPassword' }),
    secret: ['token', 'password'],
    answer: doneWith(emailOutput),
    failures: ['LINK_EXPIRED', 'WEAK_PASSWORD'],
    invalidates: 'cachedSessions',
  }),
  changePassword: relay({
    at: 'POST /auth/change-password',
    pattern: 'identity.changePassword',
    summary: 'Change your password; your other sessions end',
    policy: withCurrentPassword,
    body: z.strictObject({ currentPassword, password }).meta({ id: 'ChangePassword' }),
    client: true,
    secret: ['currentPassword', 'password'],
    answer: doneWith(z.object({ endedSessions: z.int() })),
    failures: ['WEAK_PASSWORD', 'FRESH_SIGN_IN_REQUIRED'],
    invalidates: 'cachedSessions',
  }),
  changeEmail: relay({
    at: 'POST /auth/change-email',
    pattern: 'identity.changeEmail',
    summary: 'Send a link to the new address; the address changes when the link is followed',
    policy: { ...signedInOnly, limit: 'mail' },
    body: z.strictObject({ email: emailAddress, currentPassword }).meta({ id: 'ChangeEmail' }),
    client: true,
    secret: ['currentPassword'],
    status: 202,
    answer: done(z.object({ accepted: z.literal(true) })),
    failures: ['FRESH_SIGN_IN_REQUIRED'],
  }),
  deleteAccount: operation({
    at: 'POST /auth/delete-account',
    summary:
      'Delete your account for good; its orders keep amounts and dates, and its projects their content, but not your name and address',
    policy: { ...withCurrentPassword, setsCookies: true },
    body: z.strictObject({ currentPassword }).meta({ id: 'DeleteAccount' }),
    answer: acknowledged,
    failures: ['FRESH_SIGN_IN_REQUIRED', 'LAST_ADMIN'],
    invalidates: 'cachedSessions',
  }),
  listSessions: relay({
    at: 'GET /auth/sessions',
    pattern: 'identity.sessions',
    summary: 'Your active sessions, most recently used first; at most 100',
    policy: signedInOnly,
    answer: z.array(accountSession.meta({ id: 'AccountSession' })),
  }),
  endAllSessions: operation({
    at: 'DELETE /auth/sessions',
    summary: 'Sign out everywhere, including here',
    policy: { ...signedInOnly, setsCookies: true },
    answer: acknowledged.extend({ ended: z.int() }),
    invalidates: 'cachedSessions',
  }),
  endSession: operation({
    at: 'DELETE /auth/sessions/:id',
    summary: 'Sign out one of your sessions',
    policy: { ...signedInOnly, setsCookies: true },
    answer: acknowledged,
    invalidates: 'cachedSessions',
  }),
  getSignInMethods: relay({
    at: 'GET /auth/methods',
    pattern: 'identity.signInMethods',
    summary: 'Whether your account has a password',
    policy: signedInOnly,
    answer: signInMethods.meta({ id: 'SignInMethods' }),
  }),
});

export const accountContract = {
  ...relayedIn(accountOperations),
  /** Throws NOT_FOUND, also for another person's session. */
  endSession: command({
    pattern: 'identity.endSession',
    access: 'customer',
    input: z.object({ id: z.string() }),
    /** `ended` is false if the session had ended or expired before. */
    output: z.object({ ended: z.boolean() }),
  }),
  endAllSessions: command({
    pattern: 'identity.endAllSessions',
    access: 'customer',
    input: z.object({}),
    output: z.object({ ended: z.int() }),
  }),
  /** Throws INVALID_INPUT, FRESH_SIGN_IN_REQUIRED, SESSION_ENDED, LAST_ADMIN, RATE_LIMITED, OVERLOADED. */
  deleteAccount: command({
    pattern: 'identity.deleteAccount',
    access: 'customer',
    input: z.object({ currentPassword, client }),
    output: z.object({ deleted: z.literal(true) }),
    secret: ['currentPassword'],
  }),
  /** Part of the answer of `GET /auth/my-data`. */
  accountData: query({
    pattern: 'identity.accountData',
    access: 'customer',
    input: z.object({}),
    output: z.object({
      account: account.extend({ registeredAt: z.string() }),
      signInMethods,
      linkedIdentities: z.array(linkedIdentity),
      /** Without keys and codes. */
      secondFactors: signInSecurity.pick({ totp: true, passkeys: true, recoveryCodesLeft: true }),
      sessions: z.array(accountSession),
    }),
  }),
} as const;

/**
 * Services delete or blank what they store about the account's owner. `email` is null if the address was not verified, so that nobody can delete
 * another person's data by registering that person's address and deleting the account.
 */
export const accountDeleted = event(
  'identity.accountDeleted',
  z.object({ accountId: z.string(), email: z.string().nullable() }),
);
