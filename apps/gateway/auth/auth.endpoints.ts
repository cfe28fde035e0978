import { z } from 'zod';
import { account, emailAddress, password } from '#libs/contracts';
import type { Policy } from '../policy/policy.js';
import { acknowledged } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Signing in';

const credentials = z.strictObject({ email: emailAddress, password }).meta({ id: 'Credentials' });
const accountAnswer = account.meta({ id: 'Account' });

/** The refresh token is not among it: it travels in a cookie that only `/auth` sees. */
export const signedInAnswer = z
  .object({
    account: accountAnswer,
    accessToken: z.string().describe('Send it as `Authorization: Bearer …`. Valid for ten minutes.'),
  })
  .meta({ id: 'SignedIn' });

const signsIn: Policy = { access: 'public', session: 'ignored', setsCookies: true };

export const registerEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/register',
  policy: { ...signsIn, limit: 'signUp' },
  operationId: 'register',
  summary: 'Create an account and sign in',
  group,
  body: credentials,
  status: 201,
  answer: signedInAnswer,
  failures: ['INVALID_INPUT', 'EMAIL_TAKEN', 'WEAK_PASSWORD'],
};

export const loginEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/login',
  policy: { ...signsIn, limit: 'signIn' },
  operationId: 'login',
  summary: 'Sign in',
  group,
  body: credentials,
  status: 200,
  answer: signedInAnswer,
  failures: ['INVALID_INPUT', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'],
};

export const logoutEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/logout',
  policy: { ...signsIn, session: 'optional' },
  operationId: 'logout',
  summary: 'End the session; without one, nothing happens',
  group,
  status: 200,
  answer: acknowledged,
  failures: [],
};

export const refreshEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/refresh',
  policy: signsIn,
  operationId: 'refresh',
  summary: 'Get a new access token by the refresh cookie',
  group,
  status: 200,
  answer: signedInAnswer,
  failures: ['SESSION_ENDED'],
};

export const meEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/me',
  policy: { access: 'customer', session: 'required' },
  operationId: 'getMe',
  summary: 'The account that is signed in',
  group,
  status: 200,
  answer: z.object({ account: accountAnswer }),
  failures: [],
};

export const authEndpoints: readonly Endpoint[] = [
  registerEndpoint,
  loginEndpoint,
  logoutEndpoint,
  refreshEndpoint,
  meEndpoint,
];
