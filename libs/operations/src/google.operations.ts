import { z } from 'zod';
import { grouped, operation } from './operation.js';
import type { Policy } from './policy.js';

const navigation: Policy = { access: 'public', session: 'optional', setsCookies: true, limit: 'signIn' };

export const googleOperations = grouped('Signing in', {
  leave: operation({
    at: 'GET /auth/google',
    id: 'joinWithGoogle',
    summary: 'Redirect to Google, to sign in or to confirm who is signed in',
    policy: navigation,
    query: z.object({
      return: z.string().max(2000).optional().describe('Where to go afterwards: a path of this site.'),
      purpose: z
        .enum(['signIn', 'confirm'])
        .default('signIn')
        .catch('signIn')
        .describe('`confirm` makes the current sign-in a fresh one.'),
    }),
    status: 303,
    answer: z.undefined(),
  }),
  comeBack: operation({
    at: 'GET /auth/google/callback',
    id: 'returnFromGoogle',
    summary: 'Where Google redirects back to: signs in, and continues to where the person was going',
    policy: navigation,
    status: 303,
    answer: z.undefined(),
  }),
});
