import { z } from 'zod';
import {
  accountContract as contract,
  accountSession,
  emailAddress,
  linkToken,
  order,
  ownMessagingData,
  password,
} from '#libs/contracts';
import { acknowledged, done } from './acknowledged.js';
import { grouped, operation, output, relay } from './operation.js';
import { customersOnly, openToAll, type Policy } from './policy.js';

const currentPassword = password
  .optional()
  .describe(
    'Left out by accounts without a password. They, and accounts with a second factor, need a fresh sign-in as well: `POST /auth/confirm`.',
  );

/** Takes the current password, so it is limited like signing in. */
const ownersOnly: Policy = { ...customersOnly, limit: 'signIn' };
const email = z.object({ email: z.string() });

/** What people do with their own account. */
export const accountOperations = grouped('Your account', {
  verifyEmail: relay({
    at: 'POST /auth/verify-email',
    id: 'verifyEmail',
    summary: 'Confirm an address with the token of a link from a mail; it works once',
    policy: { ...openToAll, limit: 'signIn' },
    body: z.strictObject({ token: linkToken }).meta({ id: 'LinkToken' }),
    failures: ['LINK_EXPIRED', 'EMAIL_TAKEN'],
    invalidates: 'sessions',
    to: done(contract.verifyEmail, email),
  }),
  resendVerification: relay({
    at: 'POST /auth/resend-verification',
    id: 'resendVerification',
    summary: 'Send another confirmation link; nothing happens once the address is confirmed',
    policy: { ...customersOnly, limit: 'mail' },
    to: done(contract.resendVerification),
  }),
  forgotPassword: relay({
    at: 'POST /auth/forgot-password',
    id: 'forgotPassword',
    summary: 'Send a link to set a new password, if the address has an account; the answer does not tell',
    policy: { ...openToAll, limit: 'mail' },
    body: z.strictObject({ email: emailAddress }).meta({ id: 'ForgotPassword' }),
    status: 202,
    to: done(contract.forgotPassword),
  }),
  resetPassword: relay({
    at: 'POST /auth/reset-password',
    id: 'resetPassword',
    summary: 'Set a new password with the token of a link from a mail; every session of the account ends',
    policy: { ...openToAll, limit: 'signIn' },
    body: z.strictObject({ token: linkToken, password }).meta({ id: 'ResetPassword' }),
    failures: ['LINK_EXPIRED', 'WEAK_PASSWORD'],
    invalidates: 'sessions',
    to: done(contract.resetPassword, email),
  }),
  changePassword: operation({
    at: 'POST /auth/change-password',
    id: 'changePassword',
    summary: 'Change your password; your other sessions end',
    policy: ownersOnly,
    body: z.strictObject({ currentPassword, password }).meta({ id: 'ChangePassword' }),
    answer: acknowledged.extend({ endedSessions: z.int() }),
    failures: ['WEAK_PASSWORD', 'FRESH_SIGN_IN_REQUIRED'],
    invalidates: 'sessions',
  }),
  changeEmail: operation({
    at: 'POST /auth/change-email',
    id: 'changeEmail',
    summary: 'Send a link to the new address; the address changes when the link is followed',
    policy: { ...customersOnly, limit: 'mail' },
    body: z.strictObject({ email: emailAddress, currentPassword }).meta({ id: 'ChangeEmail' }),
    status: 202,
    answer: acknowledged,
    failures: ['FRESH_SIGN_IN_REQUIRED'],
  }),
  deleteAccount: operation({
    at: 'POST /auth/delete-account',
    id: 'deleteAccount',
    summary: 'Delete your account for good; its orders keep amounts and dates, but not your personal details',
    policy: { ...ownersOnly, setsCookies: true },
    body: z.strictObject({ currentPassword }).meta({ id: 'DeleteAccount' }),
    answer: acknowledged,
    failures: ['FRESH_SIGN_IN_REQUIRED', 'LAST_ADMIN'],
    invalidates: 'sessions',
  }),
  sessions: relay({
    at: 'GET /auth/sessions',
    id: 'listSessions',
    summary: 'Your active sessions, most recently used first; at most 100',
    policy: customersOnly,
    to: output(contract.sessions, z.array(accountSession.meta({ id: 'AccountSession' }))),
  }),
  endAllSessions: operation({
    at: 'DELETE /auth/sessions',
    id: 'endAllSessions',
    summary: 'Sign out everywhere, including here',
    policy: { ...customersOnly, setsCookies: true },
    answer: acknowledged.extend({ ended: z.int() }),
    invalidates: 'sessions',
  }),
  endSession: operation({
    at: 'DELETE /auth/sessions/:id',
    id: 'endSession',
    summary: 'Sign out one of your sessions',
    policy: { ...customersOnly, setsCookies: true },
    answer: acknowledged,
    failures: ['NOT_FOUND'],
    invalidates: 'sessions',
  }),
  signInMethods: relay({
    at: 'GET /auth/methods',
    id: 'getSignInMethods',
    summary: 'The ways to sign in to your account',
    policy: customersOnly,
    to: output(contract.signInMethods, contract.signInMethods.output.meta({ id: 'SignInMethods' })),
  }),
});

/** Put together by the gateway from what each service keeps. */
export const ownDataOperations = grouped('Your account', {
  ownData: operation({
    at: 'GET /auth/my-data',
    id: 'getMyData',
    summary: 'A copy of your data, as a file; the newest 10 000 orders, 1 000 messages and 1 000 mails',
    policy: customersOnly,
    answer: z
      .object({
        copiedAt: z.string(),
        ...contract.accountData.output.shape,
        orders: z.array(order),
        ...ownMessagingData.shape,
      })
      .meta({ id: 'OwnData' }),
  }),
});
