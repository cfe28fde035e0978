import { z } from 'zod';
import { command } from './contract.js';
import { acknowledged, deleted } from './answers.js';
import { client } from './client.js';
import { password, signedIn, signedInAnswer } from './identity.contract.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { adminsOnly, signedInOnly, type Policy } from './policy.js';
import { requiredLine } from './text.js';

export const secondFactorMethods = ['totp', 'passkey', 'recoveryCode'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** What `navigator.credentials` returned, as JSON (WebAuthn Level 3). Only its basic form is checked here. */
const webAuthnAnswer = z
  .record(z.string(), z.unknown())
  .refine(
    ({ id, response }) => typeof id === 'string' && typeof response === 'object' && response !== null,
    'must be the answer that the browser gave',
  );
/** What `navigator.credentials` takes. */
const passkeyOptions = z
  .object({ options: z.record(z.string(), z.unknown()) })
  .meta({ id: 'PasskeyOptions' });

/** Six digits of an authenticator app, or a recovery code. Spaces and dashes are ignored. */
const secondFactorCode = z
  .string({ error: 'is required' })
  .transform((code) => code.replace(/[\s-]/g, '').toLowerCase())
  .pipe(
    z.string().regex(/^(\d{6}|[a-z2-7]{10})$/, 'Enter the 6-digit code from your app, or a recovery code'),
  );

/** A code or a passkey, not both. */
const secondFactorProof = z
  .strictObject({ code: secondFactorCode.optional(), passkey: webAuthnAnswer.optional() })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
    path: ['code'],
    error: 'is required',
  });

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** Backed up by the platform, so it outlives the device. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

export const signInSecurity = z.object({
  password: z.boolean(),
  google: z.boolean(),
  totp: z.object({ since: z.string() }).nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  /** The person is an admin, and admins must have a second factor. */
  required: z.boolean(),
});
export type SignInSecurity = z.infer<typeof signInSecurity>;

const signInPolicy: Policy = { access: 'public', session: 'ignored', setsCookies: true, limit: 'signIn' };
const challengePolicy: Policy = { access: 'public', session: 'ignored', limit: 'challenges' };
const freshPolicy: Policy = { ...signedInOnly, fresh: true };

const passkeyRecord = passkey.meta({ id: 'Passkey' });
const passkeyName = z.strictObject({ name: requiredLine(60) });
const recoveryCodes = z.array(z.string()).describe('Shown only once.');
/** Null if the existing ones stay valid, and for a repeated request. */
const newRecoveryCodes = { recoveryCodes: recoveryCodes.nullable() };

/** A passkey; or the password and, if the account has a second factor, a code. */
const confirmation = z.strictObject({
  password: password.optional(),
  code: secondFactorCode.optional(),
  passkey: webAuthnAnswer.optional(),
});

export const signInStepOperations = grouped('Signing in', {
  finishSignIn: operation({
    at: 'POST /auth/second-factor',
    summary: 'The second step of a sign-in: a code of the app, a recovery code, or a passkey',
    policy: signInPolicy,
    body: secondFactorProof.meta({ id: 'SecondFactorProof' }),
    answer: signedInAnswer,
    failures: ['INVALID_CODE', 'INVALID_PASSKEY', 'SIGN_IN_EXPIRED'],
  }),
  challengeSecondFactor: operation({
    at: 'POST /auth/second-factor/options',
    summary: 'The WebAuthn options for the second step of a sign-in',
    policy: challengePolicy,
    answer: passkeyOptions,
    failures: ['SIGN_IN_EXPIRED'],
  }),
  challengePasskey: operation({
    at: 'POST /auth/passkey/options',
    summary: 'The WebAuthn options for signing in with any passkey of this site',
    policy: challengePolicy,
    answer: passkeyOptions,
  }),
  signInByPasskey: operation({
    at: 'POST /auth/passkey',
    summary: 'Sign in with a passkey, which counts as both factors',
    policy: signInPolicy,
    body: z.strictObject({ passkey: webAuthnAnswer }),
    answer: signedInAnswer,
    failures: ['INVALID_PASSKEY'],
  }),
  confirmSignIn: operation({
    at: 'POST /auth/confirm',
    summary: 'Confirm that it’s you, for calls that require a fresh sign-in',
    policy: { ...signedInOnly, limit: 'signIn' },
    body: confirmation.refine(
      ({ password: given, passkey: used }) => given !== undefined || used !== undefined,
      { path: ['password'], error: 'Password is Required' },
    ),
    answer: acknowledged,
    failures: ['INVALID_CODE', 'INVALID_PASSKEY'],
    invalidates: 'cachedSessions',
  }),
  challengeConfirmation: operation({
    at: 'POST /auth/confirm/options',
    summary: 'The WebAuthn options for confirming with a passkey that it’s you',
    policy: { ...signedInOnly, limit: 'challenges' },
    answer: passkeyOptions,
  }),
});

const adminRequirement = z
  .strictObject({ required: z.boolean({ error: 'must be true or false' }) })
  .meta({ id: 'AdminRequirement' });

/** A change that can decide whether somebody may act as an admin invalidates `cachedSessions`, because a cached session contains the role. */
export const secondFactorOperations = grouped('Second factors', {
  getSecurity: relay({
    at: 'GET /auth/security',
    pattern: 'identity.security',
    summary: 'How you sign in to your account, and what protects it',
    policy: signedInOnly,
    answer: signInSecurity.meta({ id: 'SignInSecurity' }),
  }),
  beginTotp: relay({
    at: 'POST /auth/totp',
    pattern: 'identity.totpBegin',
    summary: 'A secret for an authenticator app; it takes effect once a code is confirmed',
    policy: freshPolicy,
    answer: z.object({
      /** In base32, to be typed. */
      secret: z.string(),
      /** `otpauth://totp/…`, to be scanned. */
      uri: z.string(),
      qr: z
        .object({ size: z.int(), path: z.string() })
        .describe('Modules per side, and the dark ones as an SVG path.'),
    }),
    failures: ['INVALID_TRANSITION'],
  }),
  confirmTotp: relay({
    at: 'POST /auth/totp/confirm',
    pattern: 'identity.totpConfirm',
    summary: 'Set up the authenticator app with its first code',
    policy: freshPolicy,
    body: z.strictObject({ code: secondFactorCode }),
    secret: ['code'],
    answer: z.object(newRecoveryCodes),
    failures: ['INVALID_CODE', 'INVALID_TRANSITION', 'RATE_LIMITED'],
    invalidates: 'cachedSessions',
  }),
  removeTotp: relay({
    at: 'DELETE /auth/totp',
    pattern: 'identity.totpRemove',
    summary: 'Remove the authenticator app',
    policy: freshPolicy,
    answer: z.object({ removed: z.boolean() }),
    invalidates: 'cachedSessions',
  }),
  renewRecoveryCodes: relay({
    at: 'POST /auth/recovery-codes',
    pattern: 'identity.recoveryCodesRenew',
    summary: 'Ten new recovery codes; the old ones stop working',
    policy: freshPolicy,
    answer: z.object({ recoveryCodes }),
    failures: ['INVALID_TRANSITION'],
  }),
  beginPasskey: relay({
    at: 'POST /auth/passkeys/options',
    pattern: 'identity.passkeyBegin',
    summary: 'The WebAuthn options for creating a passkey',
    policy: freshPolicy,
    answer: passkeyOptions,
    failures: ['COLLECTION_FULL'],
  }),
  createPasskey: relay({
    at: 'POST /auth/passkeys',
    pattern: 'identity.passkeyAdd',
    summary: 'Register a passkey',
    policy: freshPolicy,
    body: passkeyName.extend({ passkey: webAuthnAnswer }),
    secret: ['passkey'],
    status: 201,
    answer: z.object({ passkey: passkeyRecord, ...newRecoveryCodes }),
    failures: ['INVALID_PASSKEY', 'DUPLICATE', 'COLLECTION_FULL'],
    invalidates: 'cachedSessions',
  }),
  renamePasskey: relay({
    at: 'PUT /auth/passkeys/:id',
    pattern: 'identity.passkeyRename',
    summary: 'Rename a passkey',
    policy: signedInOnly,
    body: passkeyName,
    answer: passkeyRecord,
  }),
  deletePasskey: relay({
    at: 'DELETE /auth/passkeys/:id',
    pattern: 'identity.passkeyRemove',
    summary: 'Remove a passkey',
    policy: freshPolicy,
    answer: deleted,
    invalidates: 'cachedSessions',
  }),
  getAdminRequirement: relay({
    at: 'GET /auth/admin-requirement',
    pattern: 'identity.adminRequirement',
    summary: 'Whether every admin must have a second factor',
    policy: adminsOnly,
    answer: adminRequirement,
  }),
  setAdminRequirement: relay({
    at: 'PUT /auth/admin-requirement',
    pattern: 'identity.adminRequirementSet',
    summary: 'Require a second factor of every admin, or stop requiring it; you need one yourself',
    policy: { ...adminsOnly, fresh: true },
    body: adminRequirement,
    answer: adminRequirement,
    failures: ['SECOND_FACTOR_MISSING'],
    invalidates: 'cachedSessions',
  }),
});

const pendingSignInToken = z.string().max(100);

export const secondFactorContract = {
  ...relayedIn(secondFactorOperations),
  /**
   * The second step. Throws SIGN_IN_EXPIRED (also if the sign-in was completed before), INVALID_CODE (wrong, or used before), INVALID_PASSKEY,
   * RATE_LIMITED, OVERLOADED.
   */
  finishSignIn: command({
    pattern: 'identity.secondFactorFinish',
    access: 'public',
    input: z.object({ token: pendingSignInToken, proof: secondFactorProof, client }),
    output: signedIn,
    secret: ['token', 'proof'],
  }),
  /**
   * Makes the caller's session fresh. Throws INVALID_INPUT (also for a wrong password), INVALID_CODE, INVALID_PASSKEY, SESSION_ENDED, RATE_LIMITED,
   * OVERLOADED.
   */
  confirmSignIn: command({
    pattern: 'identity.confirm',
    access: 'customer',
    input: z.object({ ...confirmation.shape, client }),
    output: z.object({ confirmed: z.literal(true) }),
    secret: ['password', 'code', 'passkey'],
  }),
  /**
   * For `navigator.credentials.get`: with any passkey of the site (`signIn`), with those of the person in the second step (`finish`, which needs
   * `token`), or with the caller's (`confirm`). Throws SIGN_IN_EXPIRED, UNAUTHENTICATED.
   */
  issuePasskeyChallenge: command({
    pattern: 'identity.passkeyChallenge',
    access: 'public',
    input: z.object({
      purpose: z.enum(['signIn', 'finish', 'confirm']),
      token: pendingSignInToken.optional(),
    }),
    output: passkeyOptions,
    secret: ['token'],
  }),
  /** A passkey counts as two factors. Throws INVALID_PASSKEY. */
  signInByPasskey: command({
    pattern: 'identity.passkeySignIn',
    access: 'public',
    input: z.object({ passkey: webAuthnAnswer, client }),
    output: signedIn,
    secret: ['passkey'],
  }),
} as const;
