import { z } from 'zod';
import { account, emailAddress, password } from '#libs/contracts';
import { acknowledged } from './acknowledged.js';
import { grouped, operation } from './operation.js';
import { customersOnly, type Policy } from './policy.js';

const credentials = z
  .strictObject({ email: emailAddress, password })
  .meta({ id: 'Credentials', examples: [{ email: 'ada@example.com', password: 'a fine long password' }] });
const accountAnswer = account.meta({ id: 'Account' });

/** Without the refresh token, which travels in a cookie that is sent to `/auth` only. */
export const signedInAnswer = z
  .object({
    account: accountAnswer,
    accessToken: z.string().describe('Send it as `Authorization: Bearer …`. Valid for ten minutes.'),
  })
  .meta({ id: 'SignedIn' });

const signsIn: Policy = { access: 'public', session: 'ignored', setsCookies: true };

export const sessionOperations = grouped('Signing in', {
  register: operation({
    at: 'POST /auth/register',
    id: 'register',
    summary: 'Create an account and sign in',
    policy: { ...signsIn, limit: 'signUp' },
    body: credentials,
    status: 201,
    answer: signedInAnswer,
    failures: ['EMAIL_TAKEN', 'WEAK_PASSWORD'],
  }),
  login: operation({
    at: 'POST /auth/login',
    id: 'login',
    summary: 'Sign in',
    policy: { ...signsIn, limit: 'signIn' },
    body: credentials,
    answer: signedInAnswer,
    failures: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'],
  }),
  logout: operation({
    at: 'POST /auth/logout',
    id: 'logout',
    summary: 'End the session; without one, nothing happens',
    policy: { ...signsIn, session: 'optional' },
    answer: acknowledged,
  }),
  refresh: operation({
    at: 'POST /auth/refresh',
    id: 'refresh',
    summary: 'Get a new access token with the refresh cookie',
    policy: signsIn,
    answer: signedInAnswer,
    failures: ['SESSION_ENDED'],
  }),
  me: operation({
    at: 'GET /auth/me',
    id: 'getMe',
    summary: 'The account that is signed in',
    policy: customersOnly,
    answer: z.object({ account: accountAnswer }),
  }),
});
