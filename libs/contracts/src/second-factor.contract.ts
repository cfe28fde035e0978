import { z } from 'zod';
import { command, query } from './contract.js';
import { client, password, signedIn } from './identity.contract.js';
import { writtenLine } from './text.js';

export const secondFactorMethods = ['totp', 'passkey', 'recoveryCode'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** What a browser's `navigator.credentials` gave, as JSON (WebAuthn, section 5.1.8). Checked by whoever verifies it. */
export const webAuthnAnswer = z
  .record(z.string(), z.unknown())
  .refine(
    ({ id, response }) => typeof id === 'string' && typeof response === 'object' && response !== null,
    'must be the answer that the browser gave',
  );
/** What a browser's `navigator.credentials` takes, as JSON. */
const webAuthnOptions = z.record(z.string(), z.unknown());

/** Six digits of an authenticator app, or a recovery code; blanks and dashes are for the eye. */
export const secondFactorCode = z
  .string({ error: 'is required' })
  .transform((code) => code.replace(/[\s-]/g, '').toLowerCase())
  .pipe(
    z.string().regex(/^(\d{6}|[a-z2-7]{10})$/, 'Enter the 6-digit code from your app, or a recovery code'),
  );

/** Proves possession of a second factor: exactly one of the two. */
export const secondFactorProof = z
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
  /** Kept by the browser's maker, so that it outlives the device. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

const passkeyName = writtenLine(60);

/** How somebody signs in, and what protects it. */
export const signInSecurity = z.object({
  password: z.boolean(),
  google: z.boolean(),
  /** Since when an authenticator app is asked. */
  totp: z.object({ since: z.string() }).nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  /** An admin of a site whose admins must have a second factor. */
  required: z.boolean(),
});
export type SignInSecurity = z.infer<typeof signInSecurity>;

/** Shown once: only hashes are kept. Null when those that there were go on. */
const recoveryCodes = z.array(z.string());

export const secondFactorContract = {
  /**
   * Ends a sign-in whose first step was right. SIGN_IN_EXPIRED (also for one that is done), INVALID_CODE (wrong, or used before), RATE_LIMITED.
   */
  finish: command({
    pattern: 'identity.secondFactorFinish',
    access: 'public',
    input: z.object({ token: z.string().max(100), proof: secondFactorProof, client }),
    output: signedIn,
    secret: ['token', 'proof'],
  }),
  /** Makes the session of the caller a fresh one. INVALID_INPUT (also for a wrong password), INVALID_CODE, RATE_LIMITED, OVERLOADED. */
  confirm: command({
    pattern: 'identity.confirm',
    access: 'customer',
    input: z.object({
      password: password.optional(),
      code: secondFactorCode.optional(),
      passkey: webAuthnAnswer.optional(),
      client,
    }),
    output: z.object({ confirmed: z.literal(true) }),
    secret: ['password', 'code', 'passkey'],
  }),
  security: query({
    pattern: 'identity.security',
    access: 'customer',
    input: z.object({}),
    output: signInSecurity,
  }),
  /** A new secret, which counts once a code of it was given. INVALID_TRANSITION when an app is set up. */
  beginTotp: command({
    pattern: 'identity.totpBegin',
    access: 'customer',
    fresh: true,
    input: z.object({}),
    output: z.object({
      /** In base32, to be typed. */
      secret: z.string(),
      /** `otpauth://totp/…`, to be scanned. */
      uri: z.string(),
      /** The same as a QR code: `size` modules a side, the dark ones as an SVG path. */
      qr: z.object({ size: z.int(), path: z.string() }),
    }),
  }),
  /** INVALID_CODE, INVALID_TRANSITION, RATE_LIMITED. */
  confirmTotp: command({
    pattern: 'identity.totpConfirm',
    access: 'customer',
    fresh: true,
    input: z.object({ code: secondFactorCode }),
    output: z.object({ recoveryCodes: recoveryCodes.nullable() }),
    secret: ['code'],
  }),
  removeTotp: command({
    pattern: 'identity.totpRemove',
    access: 'customer',
    fresh: true,
    input: z.object({}),
    output: z.object({ removed: z.boolean() }),
  }),
  /** Ten new ones; the old ones are void. INVALID_TRANSITION without a second factor. OVERLOADED. */
  renewRecoveryCodes: command({
    pattern: 'identity.recoveryCodesRenew',
    access: 'customer',
    fresh: true,
    input: z.object({}),
    output: z.object({ recoveryCodes }),
  }),
  /** What `navigator.credentials.create` takes. COLLECTION_FULL. */
  beginPasskey: command({
    pattern: 'identity.passkeyBegin',
    access: 'customer',
    fresh: true,
    input: z.object({}),
    output: z.object({ options: webAuthnOptions }),
  }),
  /** INVALID_PASSKEY, DUPLICATE. */
  addPasskey: command({
    pattern: 'identity.passkeyAdd',
    access: 'customer',
    fresh: true,
    input: z.object({ passkey: webAuthnAnswer, name: passkeyName }),
    output: z.object({ passkey, recoveryCodes: recoveryCodes.nullable() }),
    secret: ['passkey'],
  }),
  /** NOT_FOUND. */
  renamePasskey: command({
    pattern: 'identity.passkeyRename',
    access: 'customer',
    input: z.object({ id: z.string(), name: passkeyName }),
    output: passkey,
  }),
  /** NOT_FOUND. */
  removePasskey: command({
    pattern: 'identity.passkeyRemove',
    access: 'customer',
    fresh: true,
    input: z.object({ id: z.string() }),
    output: z.object({ _id: z.string() }),
  }),
  /**
   * What `navigator.credentials.get` takes: for anybody's passkey (`signIn`), for those of a sign-in whose first step was right (`token`), or for
   * the caller's own (`confirm`). SIGN_IN_EXPIRED, UNAUTHENTICATED.
   */
  passkeyChallenge: command({
    pattern: 'identity.passkeyChallenge',
    access: 'public',
    input: z.object({
      purpose: z.enum(['signIn', 'finish', 'confirm']),
      token: z.string().max(100).optional(),
    }),
    output: z.object({ options: webAuthnOptions }),
    secret: ['token'],
  }),
  /** Signs in by a passkey alone, which is two factors in one. INVALID_PASSKEY. */
  passkeySignIn: command({
    pattern: 'identity.passkeySignIn',
    access: 'public',
    input: z.object({ passkey: webAuthnAnswer, client }),
    output: signedIn,
    secret: ['passkey'],
  }),
  requirement: query({
    pattern: 'identity.adminRequirement',
    access: 'admin',
    input: z.object({}),
    output: z.object({ required: z.boolean() }),
  }),
  /** Demands a second factor of every admin. SECOND_FACTOR_MISSING when whoever demands it has none. */
  setRequirement: command({
    pattern: 'identity.adminRequirementSet',
    access: 'admin',
    fresh: true,
    input: z.object({ required: z.boolean() }),
    output: z.object({ required: z.boolean() }),
  }),
} as const;
