import { z } from 'zod';
import { command, query } from './contract.js';
import { isStorable } from './text.js';

/** The account as its owner sees it (`GET /auth/me`). */
export const account = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['Customer', 'Admin']),
  /** From Google; null for a password account. */
  name: z.string().nullable(),
  /** An admin who may act as one once they have a second factor. */
  needsSecondFactor: z.literal(true).optional(),
});
export type Account = z.infer<typeof account>;

/** What sign-in hands out. The gateway puts the tokens in cookies; API clients use `accessToken` as a Bearer. */
export const signedIn = z.object({
  account,
  sessionId: z.string(),
  accessToken: z.string(),
  accessTokenExpiresAt: z.string(),
  refreshToken: z.string(),
  refreshTokenExpiresAt: z.string(),
});
export type SignedIn = z.infer<typeof signedIn>;

/** Says `message` when the value is absent, and zod's own sentence when it has the wrong type. */
const required = (message: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? message : undefined),
});

/** What a mail server would accept; at most RFC 5321's 254 characters. */
export const emailAddress = z
  .string(required('Email is Required'))
  .trim()
  .min(1, 'Email is Required')
  .max(254)
  .pipe(z.email('Provide a Valid Email'));

/**
 * At most 256 characters, so that hashing has a bound. The minimum is configuration of the identity service.
 * A lone surrogate has no UTF-8 form: two passwords that differ only there would hash alike. A NUL ends text in many a reader.
 */
export const password = z
  .string(required('Password is Required'))
  .min(1, 'Password is Required')
  .max(256, 'Maximum 256 Characters')
  .refine(isStorable, 'Contains characters that cannot be stored');

/** The body of `POST /auth/register` and `POST /auth/login`. */
export const credentials = z.strictObject({ email: emailAddress, password });
export type Credentials = z.output<typeof credentials>;
/** Where a sign-in comes from; for the list of sessions and for throttling. Set by the gateway, never by the body. */
export const client = z.object({
  address: z.string().max(64),
  /** Whatever the browser says, cut to 400 characters and to what a text column can hold. */
  userAgent: z.string().transform((text) => text.slice(0, 400).toWellFormed().replaceAll('\0', '')),
  /** What the device cookie says, or will say from now on: by it a device is known again. It proves nothing. */
  device: z.object({ id: z.string().max(100), isNew: z.boolean() }).optional(),
});
export type Client = z.output<typeof client>;

/** A row of the admin list, under its documented field names. */
export const adminUser = z.object({
  _id: z.string(),
  userEmail: z.string(),
  userRole: z.literal('Admin'),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type AdminUser = z.infer<typeof adminUser>;

export const adminUserInput = z.strictObject({
  userEmail: emailAddress,
  userRole: z.literal('Admin').default('Admin'),
});

/**
 * How access tokens are signed and for whom. `iss` is `PUBLIC_URL`; a verifier accepts exactly this algorithm
 * and audience (RFC 8725 sections 3.1 and 3.9), and takes the key named by the header's `kid` from `keys`.
 */
export const accessTokens = {
  algorithm: 'ES256',
  /** The header's `typ` (RFC 9068, section 2.1). */
  type: 'at+jwt',
  audience: 'seo-services-api',
  lifetimeSeconds: 600,
  /** By how much the clocks of two machines may differ (RFC 7519, section 4.1.4). */
  clockToleranceSeconds: 60,
} as const;

/** What an access token says. The role is not in it: who is an admin is looked up at each request. */
export const accessTokenClaims = z.object({
  iss: z.string(),
  aud: z.literal(accessTokens.audience),
  /** Account id. */
  sub: z.string(),
  /** Session id: the token is worth nothing once that session has ended. */
  sid: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
});
export type AccessTokenClaims = z.infer<typeof accessTokenClaims>;

/** JSON Web Key Set of the public signing keys (RFC 7517). */
export const jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

export const identityContract = {
  /** INVALID_INPUT, EMAIL_TAKEN, WEAK_PASSWORD, OVERLOADED. */
  register: command({
    pattern: 'identity.register',
    access: 'public',
    input: z.object({ credentials, client }),
    output: signedIn,
    secret: ['credentials'],
  }),
  /** INVALID_CREDENTIALS (unknown address and wrong password alike), RATE_LIMITED, OVERLOADED. */
  login: command({
    pattern: 'identity.login',
    access: 'public',
    input: z.object({ credentials, client }),
    output: signedIn,
    secret: ['credentials'],
  }),
  /** Ends the session that holds this refresh token or this id. Unknown ones are no error. */
  logout: command({
    pattern: 'identity.logout',
    access: 'public',
    input: z.object({ refreshToken: z.string().optional(), sessionId: z.string().optional() }),
    output: z.object({ ended: z.boolean() }),
    secret: ['refreshToken'],
  }),
  /**
   * SESSION_ENDED. Each use rotates the token; one rotated less than 30 s ago is still honoured (two tabs, or a
   * request that was delivered twice), a later reuse ends the whole family.
   */
  refresh: command({
    pattern: 'identity.refresh',
    access: 'public',
    input: z.object({ refreshToken: z.string(), client }),
    output: signedIn,
    secret: ['refreshToken'],
  }),
  /** Who holds this session right now, or null if it has ended. The role is looked up live. */
  session: query({
    pattern: 'identity.session',
    access: 'public',
    input: z.object({ sessionId: z.string() }),
    output: z.object({
      account: account.nullable(),
      /** Until when they count as having just signed in (ISO 8601); for what `fresh` contracts ask. */
      freshUntil: z.string().nullable(),
    }),
  }),
  keys: query({
    pattern: 'identity.keys',
    access: 'public',
    input: z.object({}),
    output: jwks,
  }),
  /** The whole list for an admin; the own entry or nothing for a customer; nothing for a visitor. */
  listAdmins: query({
    pattern: 'identity.listAdmins',
    access: 'public',
    input: z.object({}),
    output: z.array(adminUser),
  }),
  /** Where mails about what an account does go: its address, once it is confirmed. Null for one that is not, and for no account. */
  confirmedEmail: query({
    pattern: 'identity.confirmedEmail',
    access: 'system',
    askedBy: ['messaging'],
    input: z.object({ accountId: z.string() }),
    output: z.object({ email: z.string().nullable() }),
  }),
  /** The addresses of those who are admins: an entry of the list is none until its account exists and has confirmed the address. */
  adminEmails: query({
    pattern: 'identity.adminEmails',
    access: 'system',
    askedBy: ['messaging'],
    input: z.object({}),
    output: z.array(z.string()),
  }),
  /** NOT_FOUND, also for a customer who asks for another's entry. */
  admin: query({
    pattern: 'identity.admin',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: adminUser,
  }),
  /** DUPLICATE. */
  addAdmin: command({
    pattern: 'identity.addAdmin',
    access: 'admin',
    fresh: true,
    input: adminUserInput,
    output: adminUser,
  }),
  /** NOT_FOUND, DUPLICATE, VERSION_MISMATCH, LAST_ADMIN. */
  updateAdmin: command({
    pattern: 'identity.updateAdmin',
    access: 'admin',
    fresh: true,
    input: adminUserInput.extend({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ record: adminUser, modified: z.boolean() }),
  }),
  /** NOT_FOUND, VERSION_MISMATCH, LAST_ADMIN. */
  removeAdmin: command({
    pattern: 'identity.removeAdmin',
    access: 'admin',
    fresh: true,
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ _id: z.string() }),
  }),
  /** Gives back, for an hour, what `removeAdmin` took. NOT_FOUND, DUPLICATE when the address is on the list again. */
  restoreAdmin: command({
    pattern: 'identity.restoreAdmin',
    access: 'admin',
    fresh: true,
    input: z.object({ id: z.string() }),
    output: adminUser,
  }),
} as const;
