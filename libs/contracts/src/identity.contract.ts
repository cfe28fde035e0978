import { z } from 'zod';
import { acknowledged, created, deleted, recordMeta, updated } from './answers.js';
import { client } from './client.js';
import { command, event, query } from './contract.js';
import { updateBody } from './inputs.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { adminsIdempotent, adminsOnly, signedInOnly, type Policy } from './policy.js';
import { isStorable } from './text.js';

export const account = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['Customer', 'Admin']),
  /** From Google, if it has given one. */
  name: z.string().nullable(),
  /** Set while an admin lacks the required second factor and has only a customer's rights. */
  needsSecondFactor: z.literal(true).optional(),
});
export type Account = z.infer<typeof account>;

/** The gateway puts the tokens in cookies; API clients send `accessToken` as a Bearer token. */
export const signedIn = z.object({
  account,
  sessionId: z.string(),
  accessToken: z.string(),
  accessTokenExpiresAt: z.string(),
  refreshToken: z.string(),
  refreshTokenExpiresAt: z.string(),
});
export type SignedIn = z.infer<typeof signedIn>;

/** Says `message` for an absent value, and zod's own sentence for a wrong type. */
const required = (message: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? message : undefined),
});

/** At most 254 characters (RFC 5321). */
export const emailAddress = z
  .string(required('Email is Required'))
  .trim()
  .min(1, 'Email is Required')
  .max(254)
  .pipe(z.email('Provide a Valid Email'));

/**
 * The maximum bounds the cost of hashing; the identity service has the minimum. Lone surrogates are refused because they have no UTF-8 form:
 * passwords that differ only there would have the same hash. NUL is refused because many programs stop reading there.
 */
export const password = z
  .string(required('Password is Required'))
  .min(1, 'Password is Required')
  .max(256, 'Maximum 256 Characters')
  .refine(isStorable, 'Contains characters that cannot be stored');

const credentials = z.strictObject({ email: emailAddress, password });
export type Credentials = z.output<typeof credentials>;

/** The names `userEmail` and `userRole` are the specification's. */
export const adminUser = z.object({
  _id: z.string(),
  userEmail: z.string(),
  userRole: z.literal('Admin'),
  ...recordMeta,
});
export type AdminUser = z.infer<typeof adminUser>;

const adminUserInput = z.strictObject({
  userEmail: emailAddress,
  userRole: z.literal('Admin').default('Admin'),
});

/**
 * `iss` is `PUBLIC_URL`. A verifier accepts only this algorithm and audience (RFC 8725, sections 3.1 and 3.9), and takes the key named by `kid` from
 * `identityContract.keys`.
 */
export const accessTokens = {
  algorithm: 'ES256',
  /** RFC 9068, section 2.1. */
  type: 'at+jwt',
  audience: 'seo-services-api',
  lifetimeSeconds: 600,
  /** RFC 7519, section 4.1.4. */
  clockToleranceSeconds: 60,
} as const;

/** Without the role, which can change: `identityContract.session` has it. */
export const accessTokenClaims = z.object({
  iss: z.string(),
  aud: z.literal(accessTokens.audience),
  sub: z.string(),
  /** The session's id: the token is invalid once the session has ended. */
  sid: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
});
export type AccessTokenClaims = z.infer<typeof accessTokenClaims>;

/** RFC 7517. */
export const jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

const accountAnswer = account.meta({ id: 'Account' });
const credentialsBody = credentials.meta({
  id: 'Credentials',
  examples: [{ email: 'ada@example.com', password: 'a fine long password' }],
});

export const signedInAnswer = z
  .object({
    account: accountAnswer,
    accessToken: z.string().describe('Send it as `Authorization: Bearer …`. Valid for ten minutes.'),
  })
  .meta({ id: 'SignedIn' });

const signInPolicy: Policy = { access: 'public', session: 'ignored', setsCookies: true };

export const sessionOperations = grouped('Signing in', {
  register: operation({
    at: 'POST /auth/register',
    summary: 'Create an account and sign in',
    policy: { ...signInPolicy, limit: 'signUp' },
    body: credentialsBody,
    status: 201,
    answer: signedInAnswer,
    failures: ['EMAIL_TAKEN', 'WEAK_PASSWORD'],
  }),
  login: operation({
    at: 'POST /auth/login',
    summary: 'Sign in',
    policy: { ...signInPolicy, limit: 'signIn' },
    body: credentialsBody,
    answer: signedInAnswer,
    failures: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'],
  }),
  /** If it fails, the cookies stay, so that the browser can try again: the session may still be active. */
  logout: operation({
    at: 'POST /auth/logout',
    summary: 'End the session; without one, nothing happens',
    policy: { ...signInPolicy, session: 'lenient' },
    answer: acknowledged,
  }),
  refresh: operation({
    at: 'POST /auth/refresh',
    summary: 'Get a new access token with the refresh cookie',
    policy: signInPolicy,
    answer: signedInAnswer,
    failures: ['SESSION_ENDED'],
  }),
  getMe: operation({
    at: 'GET /auth/me',
    summary: 'The account that is signed in',
    policy: signedInOnly,
    answer: z.object({ account: accountAnswer }),
  }),
});

/** The e-mails that each admin can switch off, with their labels. */
export const adminNotifications = {
  newOrders: 'New orders',
  payments: 'Payments received and monthly plans that stop',
  refunds: 'Refunds and disputes',
  reviews: 'Payments that need attention',
  messages: 'Messages from the contact form',
  projects: 'Project briefs, requested changes and accepted work',
  projectMessages: 'Project messages from customers that you haven’t read',
} as const;
export type AdminNotification = keyof typeof adminNotifications;
const adminNotification = z.enum(Object.keys(adminNotifications) as AdminNotification[]);

const notificationSettings = z.strictObject({
  newOrders: z.boolean(),
  payments: z.boolean(),
  refunds: z.boolean(),
  reviews: z.boolean(),
  messages: z.boolean(),
  // Clients that are older than projects leave these out.
  projects: z.boolean().default(true),
  projectMessages: z.boolean().default(true),
} satisfies Record<AdminNotification, z.ZodType<boolean>>);
export type NotificationSettings = z.output<typeof notificationSettings>;

const adminUserAnswer = adminUser.meta({ id: 'AdminUser' });
const adminListWrite = { policy: { ...adminsOnly, fresh: true }, invalidates: 'cachedSessions' } as const;

/** Changes to the list take effect on a person's next request. An admin who lacks the required second factor counts as a customer here. */
export const adminUserOperations = grouped('Admin users', {
  listAdminUsers: relay({
    at: 'GET /users',
    pattern: 'identity.listAdmins',
    summary: 'All admin users for an admin, your own entry for a customer, nothing for a visitor',
    policy: { access: 'public', session: 'strict' },
    answer: z.array(adminUserAnswer),
  }),
  getAdminUser: relay({
    at: 'GET /users/:id',
    pattern: 'identity.admin',
    summary: 'One admin user; for a customer, only your own entry',
    policy: signedInOnly,
    answer: adminUserAnswer,
  }),
  createAdminUser: relay({
    at: 'POST /add-user',
    pattern: 'identity.addAdmin',
    summary: 'Make the account with this address an admin, once the address is verified',
    ...adminListWrite,
    policy: { ...adminsIdempotent, fresh: true },
    body: adminUserInput.meta({ id: 'AdminUserCreate' }),
    answer: created(adminUser),
    failures: ['DUPLICATE'],
  }),
  updateAdminUser: relay({
    // The specification has this typo.
    at: 'PUT /upadete-users/:id',
    pattern: 'identity.updateAdmin',
    summary: 'Change the address of an admin user',
    ...adminListWrite,
    body: updateBody('AdminUserUpdate', adminUserInput.shape),
    versioned: true,
    answer: updated(adminUser),
    failures: ['DUPLICATE', 'LAST_ADMIN'],
  }),
  deleteAdminUser: relay({
    at: 'DELETE /users/:id',
    pattern: 'identity.removeAdmin',
    summary: 'Remove an admin; it takes effect on that person’s next request',
    ...adminListWrite,
    answer: deleted,
    failures: ['LAST_ADMIN'],
  }),
  restoreAdminUser: relay({
    at: 'POST /restore/adminUser/:id',
    pattern: 'identity.restoreAdmin',
    summary:
      'Bring back an admin who was removed within the last hour; it takes effect on that person’s next request',
    ...adminListWrite,
    answer: adminUserAnswer,
    failures: ['DUPLICATE'],
  }),
  getNotificationSettings: relay({
    at: 'GET /notification-settings',
    pattern: 'identity.notificationSettings',
    summary: 'Which e-mails you get as an admin',
    policy: adminsOnly,
    answer: notificationSettings.meta({ id: 'NotificationSettings' }),
  }),
  updateNotificationSettings: relay({
    at: 'PUT /notification-settings',
    pattern: 'identity.updateNotificationSettings',
    summary: 'Choose which e-mails you get as an admin; security e-mails are always sent',
    policy: adminsOnly,
    body: notificationSettings.meta({ id: 'NotificationSettingsUpdate' }),
    answer: notificationSettings,
  }),
});

export const identityContract = {
  ...relayedIn(adminUserOperations),
  /** Throws INVALID_INPUT, EMAIL_TAKEN, WEAK_PASSWORD, OVERLOADED. */
  register: command({
    pattern: 'identity.register',
    access: 'public',
    input: z.object({ credentials, client }),
    output: signedIn,
    secret: ['credentials'],
  }),
  /** Throws INVALID_CREDENTIALS (unknown address and wrong password alike), SECOND_FACTOR_REQUIRED, RATE_LIMITED, OVERLOADED. */
  login: command({
    pattern: 'identity.login',
    access: 'public',
    input: z.object({ credentials, client }),
    output: signedIn,
    secret: ['credentials'],
  }),
  /** Ends the session with this refresh token, the one with this id, or both. Does nothing if there is none. */
  logout: command({
    pattern: 'identity.logout',
    access: 'public',
    input: z.object({ refreshToken: z.string().optional(), sessionId: z.string().optional() }),
    output: z.object({ ended: z.boolean() }),
    secret: ['refreshToken'],
  }),
  /**
   * Throws SESSION_ENDED. Each use rotates the token. The former token still works for REFRESH_GRACE_SECONDS, because two tabs may
   * use it, or the call may be delivered again; a later reuse ends the session.
   */
  refresh: command({
    pattern: 'identity.refresh',
    access: 'public',
    input: z.object({ refreshToken: z.string(), client }),
    output: signedIn,
    secret: ['refreshToken'],
  }),
  /** Both fields are null if the session has ended. */
  session: query({
    pattern: 'identity.session',
    access: 'public',
    input: z.object({ sessionId: z.string() }),
    output: z.object({
      account: account.nullable(),
      /** ISO 8601. */
      freshUntil: z.string().nullable(),
    }),
  }),
  keys: query({ pattern: 'identity.keys', access: 'public', input: z.object({}), output: jwks }),
  /** `email` is null if the account is unknown, or its address is not verified. */
  confirmedEmail: query({
    pattern: 'identity.confirmedEmail',
    access: 'system',
    callableBy: ['projects', 'messaging'],
    input: z.object({ accountId: z.string() }),
    output: z.object({ email: z.string().nullable() }),
  }),
  /**
   * The verified addresses of all admins, including those who lack the required second factor. With `notification`, leaves out the admins who have
   * switched off these e-mails.
   */
  adminEmails: query({
    pattern: 'identity.adminEmails',
    access: 'system',
    callableBy: ['projects', 'messaging'],
    input: z.object({ notification: adminNotification.optional() }),
    output: z.array(z.string()),
  }),
  /** All admins with a verified address, including those who lack the required second factor. */
  adminAccounts: query({
    pattern: 'identity.adminAccounts',
    access: 'system',
    callableBy: ['projects', 'messaging'],
    input: z.object({}),
    output: z.array(z.object({ accountId: z.string(), email: z.string() })),
  }),
} as const;

export const adminListChanged = event(
  'identity.adminListChanged',
  z.object({
    change: z.enum(['created', 'updated', 'deleted', 'restored']),
    /** The address after the change; for a removed admin, their last address. */
    userEmail: z.string(),
    /** The address before the change; null unless the change replaced it. */
    formerEmail: z.string().nullable(),
    /**
     * Where to mail the admin who was removed: the address of the deleted entry, or the former address of a changed one. Null if nobody was
     * removed, if that admin made the change, or if no account has verified the address.
     */
    removedEmail: z.string().nullable(),
    /** The address of the account that made the change. */
    by: z.string(),
  }),
);
