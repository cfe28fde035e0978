import { z } from 'zod';
import { command } from './contract.js';
import { client, signedIn } from './identity.contract.js';
import { ownPath } from './return-to.js';

/** An address within the site; anything else leads to the dashboard. */
const returnTo = z.string().transform((address) => ownPath(address) ?? '/dashboard');

/** 'Join With Google': OpenID Connect, code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9700). */
export const googleContract = {
  /**
   * Begins a sign-in, or with `confirm` a fresh proof of who is signed in. `browser` is the secret that binds it to one browser: the one
   * its cookie has, or none. NOT_FOUND where Google is not configured; UNAVAILABLE; UNAUTHENTICATED for a visitor who confirms.
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
   * Ends it with what Google sent along (`query`, without the question mark). SIGN_IN_EXPIRED (unknown, used, too old, or of another
   * browser), SIGN_IN_CANCELLED, SIGN_IN_REFUSED (what Google said does not hold), ADDRESS_UNVERIFIED, UNAVAILABLE. `signedIn` is null
   * when a session that there was has been confirmed.
   */
  finish: command({
    pattern: 'identity.googleFinish',
    access: 'public',
    input: z.object({ query: z.string().max(8000), browser: z.string().max(100).optional(), client }),
    output: z.object({ returnTo: z.string(), signedIn: signedIn.nullable() }),
    secret: ['query', 'browser'],
    // Google is asked twice within it, four seconds each at most.
    deadlineMs: 15_000,
  }),
} as const;
