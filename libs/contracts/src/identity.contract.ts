import { z } from 'zod';
import { command, event, query } from './contract.js';

/** The account as its owner sees it (`GET /auth/me`). */
export const account = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['Customer', 'Admin']),
  /** From Google; null for a password account. */
  name: z.string().nullable(),
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

/** The page checks more kindly (documented messages); this is what the service accepts. RFC 5321's limit of 254. */
export const emailAddress = z.string().trim().max(254).pipe(z.email('Provide a Valid Email'));

/** At most 256 characters, so that hashing has a bound. The minimum is configuration of the identity service. */
export const password = z.string().min(1, 'Password is Required').max(256, 'Maximum 256 Characters');

const credentials = z.strictObject({ email: emailAddress, password });
/** Where a sign-in comes from; for the list of sessions and for throttling. Set by the gateway, never by the body. */
const client = z.object({ address: z.string(), userAgent: z.string().max(400) });

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

/** JSON Web Key Set of the public signing keys (RFC 7517). */
export const jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

export const identityContract = {
  /** INVALID_INPUT, EMAIL_TAKEN, WEAK_PASSWORD. */
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
  /** SESSION_ENDED. A token reused more than 30 s after its rotation ends the whole family. */
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
    output: z.object({ account: account.nullable() }),
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
    input: z.object({ body: adminUserInput }),
    output: adminUser,
  }),
  /** NOT_FOUND, DUPLICATE, VERSION_MISMATCH, LAST_ADMIN. */
  updateAdmin: command({
    pattern: 'identity.updateAdmin',
    access: 'admin',
    input: z.object({ id: z.string(), body: adminUserInput, ifVersion: z.int().optional() }),
    output: z.object({ record: adminUser, modified: z.boolean() }),
  }),
  /** NOT_FOUND, LAST_ADMIN. */
  removeAdmin: command({
    pattern: 'identity.removeAdmin',
    access: 'admin',
    input: z.object({ id: z.string() }),
    output: z.object({ _id: z.string() }),
  }),
} as const;

export const accountRegistered = event('identity.registered', z.object({ accountId: z.string(), email: z.string() }));
export const adminsChanged = event('identity.adminsChanged', z.object({ userEmail: z.string() }));
