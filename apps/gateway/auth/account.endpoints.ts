import { z } from 'zod';
import {
  accountContract,
  accountSession,
  emailAddress,
  linkToken,
  order,
  ownMessagingData,
  password,
} from '#libs/contracts';
import { customersOnly, openToAll, type Policy } from '../policy/policy.js';
import { acknowledged } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Your account';
const currentPassword = password
  .optional()
  .describe(
    'Left out by accounts without a password. They, and accounts with a second factor, need a fresh sign-in as well: `POST /auth/confirm`.',
  );

/** Asks for the present password, so it is bounded like signing in. */
const ownersOnly: Policy = { ...customersOnly, limit: 'signIn' };

export const verifyEmailEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/verify-email',
  policy: { ...openToAll, limit: 'signIn' },
  operationId: 'verifyEmail',
  summary: 'Prove an address by the token of a link from a mail; it works once',
  group,
  body: z.strictObject({ token: linkToken }).meta({ id: 'LinkToken' }),
  status: 200,
  answer: acknowledged.extend({ email: z.string() }),
  failures: ['INVALID_INPUT', 'LINK_EXPIRED', 'EMAIL_TAKEN'],
};

export const resendVerificationEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/resend-verification',
  policy: { ...customersOnly, limit: 'mail' },
  operationId: 'resendVerification',
  summary: 'Mail another link that proves the address; nothing happens once it is proved',
  group,
  status: 200,
  answer: acknowledged,
  failures: [],
};

export const forgotPasswordEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/forgot-password',
  policy: { ...openToAll, limit: 'mail' },
  operationId: 'forgotPassword',
  summary: 'Mail a link for a new password, if the address has an account; the answer does not tell',
  group,
  body: z.strictObject({ email: emailAddress }).meta({ id: 'ForgotPassword' }),
  status: 202,
  answer: acknowledged,
  failures: ['INVALID_INPUT'],
};

export const resetPasswordEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/reset-password',
  policy: { ...openToAll, limit: 'signIn' },
  operationId: 'resetPassword',
  summary: 'Set a new password by the token of a link from a mail; every session of the account ends',
  group,
  body: z.strictObject({ token: linkToken, password }).meta({ id: 'ResetPassword' }),
  status: 200,
  answer: acknowledged.extend({ email: z.string() }),
  failures: ['INVALID_INPUT', 'LINK_EXPIRED', 'WEAK_PASSWORD'],
};

export const changePasswordEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/change-password',
  policy: ownersOnly,
  operationId: 'changePassword',
  summary: 'Change the own password; the other sessions end',
  group,
  body: z.strictObject({ currentPassword, password }).meta({ id: 'ChangePassword' }),
  status: 200,
  answer: acknowledged.extend({ endedSessions: z.int() }),
  failures: ['INVALID_INPUT', 'WEAK_PASSWORD', 'FRESH_SIGN_IN_REQUIRED'],
};

export const changeEmailEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/change-email',
  policy: { ...customersOnly, limit: 'mail' },
  operationId: 'changeEmail',
  summary: 'Mail a link to the new address; the address changes when it is followed',
  group,
  body: z.strictObject({ email: emailAddress, currentPassword }).meta({ id: 'ChangeEmail' }),
  status: 202,
  answer: acknowledged,
  failures: ['INVALID_INPUT', 'FRESH_SIGN_IN_REQUIRED'],
};

export const deleteAccountEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/delete-account',
  policy: { ...ownersOnly, setsCookies: true },
  operationId: 'deleteAccount',
  summary: 'Delete the own account for good; its orders keep amounts and dates, and lose who placed them',
  group,
  body: z.strictObject({ currentPassword }).meta({ id: 'DeleteAccount' }),
  status: 200,
  answer: acknowledged,
  failures: ['INVALID_INPUT', 'FRESH_SIGN_IN_REQUIRED', 'LAST_ADMIN'],
};

export const listSessionsEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/sessions',
  policy: customersOnly,
  operationId: 'listSessions',
  summary: 'The own sessions that live, the last seen first; at most 100',
  group,
  status: 200,
  answer: z.array(accountSession.meta({ id: 'AccountSession' })),
  failures: [],
};

export const endSessionEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/auth/sessions/:id',
  policy: { ...customersOnly, setsCookies: true },
  operationId: 'endSession',
  summary: 'Sign out one of the own sessions, wherever it is',
  group,
  status: 200,
  answer: acknowledged,
  failures: ['NOT_FOUND'],
};

export const endAllSessionsEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/auth/sessions',
  policy: { ...customersOnly, setsCookies: true },
  operationId: 'endAllSessions',
  summary: 'Sign out everywhere, here too',
  group,
  status: 200,
  answer: acknowledged.extend({ ended: z.int() }),
  failures: [],
};

export const signInMethodsEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/methods',
  policy: customersOnly,
  operationId: 'getSignInMethods',
  summary: 'How the own account can be signed in to',
  group,
  status: 200,
  answer: accountContract.signInMethods.output.meta({ id: 'SignInMethods' }),
  failures: [],
};

export const ownDataEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/my-data',
  policy: customersOnly,
  operationId: 'getMyData',
  summary:
    'A copy of all that is kept of the caller, as a file; the newest 10 000 orders, 1 000 messages and 1 000 mails',
  group,
  status: 200,
  answer: z
    .object({
      copiedAt: z.string(),
      ...accountContract.accountData.output.shape,
      orders: z.array(order),
      ...ownMessagingData.shape,
    })
    .meta({ id: 'OwnData' }),
  failures: [],
};

export const accountEndpoints: readonly Endpoint[] = [
  verifyEmailEndpoint,
  resendVerificationEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  changePasswordEndpoint,
  changeEmailEndpoint,
  deleteAccountEndpoint,
  listSessionsEndpoint,
  endAllSessionsEndpoint,
  endSessionEndpoint,
  signInMethodsEndpoint,
  ownDataEndpoint,
];
