import { z } from 'zod';
import { client } from './client.js';
import { command } from './contract.js';
import { signedIn } from './identity.contract.js';
import { grouped, operation } from './operation.js';
import type { Policy } from './policy.js';
import { ownPath } from './return-to.js';

const navigationPolicy: Policy = {
  access: 'public',
  session: 'lenient',
  setsCookies: true,
  limit: 'signIn',
};

export const googleOperations = grouped('Signing in', {
  joinWithGoogle: operation({
    at: 'GET /auth/google',
    summary: 'Redirect to Google, to sign in or to confirm that it’s you',
    policy: navigationPolicy,
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
  returnFromGoogle: operation({
    at: 'GET /auth/google/callback',
    summary:
      'The address to which Google redirects back: completes the sign-in, and redirects to where the person was going',
    policy: navigationPolicy,
    status: 303,
    answer: z.undefined(),
  }),
});

const returnTo = z.string().transform((address) => ownPath(address) ?? '/dashboard');

/** OpenID Connect with Google: code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9700). */
export const googleContract = {
  /**
   * Begins a sign-in or, with `confirm`, a fresh proof of who is signed in. `browser` is the secret that binds the flow to one browser: pass
   * the value of the browser's cookie, if there is one. Throws NOT_FOUND if Google is not configured; UNAVAILABLE; UNAUTHENTICATED for `confirm` if
   * nobody is signed in.
   */
  begin: command({
    pattern: 'identity.googleBegin',
    access: 'public',
    input: z.object({
      purpose: z.enum(['signIn', 'confirm']),
      returnTo,
      browser: z.string().max(100).optional(),
    }),
    output: z.object({ url: z.string(), browser: z.string(), expiresAt: z.string() }),
    secret: ['browser'],
  }),
  /**
   * `query` is Google's answer, without the question mark. `signedIn` is null if an existing session was confirmed.
   * Throws SIGN_IN_EXPIRED (the flow is unknown, used, too old, or of another browser), SIGN_IN_CANCELLED, SIGN_IN_REFUSED, ADDRESS_UNVERIFIED,
   * SECOND_FACTOR_REQUIRED, UNAVAILABLE; SESSION_ENDED if the session to confirm has ended; NOT_FOUND if Google is no longer configured.
   */
  finish: command({
    pattern: 'identity.googleFinish',
    access: 'public',
    input: z.object({ query: z.string().max(8000), browser: z.string().max(100).optional(), client }),
    output: z.object({ returnTo: z.string(), signedIn: signedIn.nullable() }),
    secret: ['query', 'browser'],
    // Up to three requests to Google (code, configuration, keys), each at most GOOGLE_TIMEOUT_MS, which cannot exceed six seconds.
    deadlineMs: 20_000,
  }),
} as const;
