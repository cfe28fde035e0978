import { z } from 'zod';
import type { Policy } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Signing in';
const navigation: Policy = { access: 'public', session: 'optional', setsCookies: true, limit: 'signIn' };

export const googleEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/google',
  policy: navigation,
  operationId: 'joinWithGoogle',
  summary: 'Lead the browser to Google, to sign in or to confirm who is signed in',
  group,
  query: z.object({
    return: z.string().max(2000).optional().describe('Where to go afterwards: a path of this site.'),
    purpose: z
      .enum(['signIn', 'confirm'])
      .default('signIn')
      .catch('signIn')
      .describe('`confirm` makes the sign-in that there is a fresh one.'),
  }),
  status: 303,
  answer: z.undefined(),
  failures: [],
};

export const googleCallbackEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/google/callback',
  policy: navigation,
  operationId: 'returnFromGoogle',
  summary: 'Where Google leads back to: signs in, and goes on to where the person was going',
  group,
  status: 303,
  answer: z.undefined(),
  failures: [],
};

export const googleEndpoints: readonly Endpoint[] = [googleEndpoint, googleCallbackEndpoint];
