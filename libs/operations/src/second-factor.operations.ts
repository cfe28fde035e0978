import { z } from 'zod';
import {
  passkey,
  password,
  secondFactorCode,
  secondFactorContract as contract,
  secondFactorProof,
  signInSecurity,
  webAuthnAnswer,
  writtenLine,
} from '#libs/contracts';
import { acknowledged, deleted } from './acknowledged.js';
import { grouped, operation, output, relay } from './operation.js';
import { adminsOnly, customersOnly, type Policy } from './policy.js';
import { signedInAnswer } from './session.operations.js';

const signsIn: Policy = { access: 'public', session: 'ignored', setsCookies: true, limit: 'signIn' };
const challenged: Policy = { access: 'public', session: 'ignored', limit: 'challenges' };
const fresh: Policy = { ...customersOnly, fresh: true };

const options = z.object({ options: z.record(z.string(), z.unknown()) }).meta({ id: 'PasskeyOptions' });
const passkeyRecord = passkey.meta({ id: 'Passkey' });
const recoveryCodes = z.array(z.string()).describe('Shown only once.');
const passkeyName = z.strictObject({ name: writtenLine(60) });

/** The second step of a sign-in, signing in with a passkey, and confirming who is signed in. */
export const signInStepOperations = grouped('Signing in', {
  finish: operation({
    at: 'POST /auth/second-factor',
    id: 'finishSignIn',
    summary: 'The second step of a sign-in: a code of the app, a recovery code, or a passkey',
    policy: signsIn,
    body: secondFactorProof.meta({ id: 'SecondFactorProof' }),
    answer: signedInAnswer,
    failures: ['INVALID_CODE', 'INVALID_PASSKEY', 'SIGN_IN_EXPIRED'],
  }),
  finishOptions: operation({
    at: 'POST /auth/second-factor/options',
    id: 'challengeSecondFactor',
    summary: 'The WebAuthn options for the second step of a sign-in',
    policy: challenged,
    answer: options,
    failures: ['SIGN_IN_EXPIRED'],
  }),
  passkeyOptions: operation({
    at: 'POST /auth/passkey/options',
    id: 'challengePasskey',
    summary: 'The WebAuthn options for signing in with any passkey of this site',
    policy: challenged,
    answer: options,
  }),
  passkeySignIn: operation({
    at: 'POST /auth/passkey',
    id: 'signInByPasskey',
    summary: 'Sign in with a passkey, which counts as both factors',
    policy: signsIn,
    body: z.strictObject({ passkey: webAuthnAnswer }),
    answer: signedInAnswer,
    failures: ['INVALID_PASSKEY'],
  }),
  confirm: operation({
    at: 'POST /auth/confirm',
    id: 'confirmSignIn',
    summary: 'Confirm who is signed in, for calls that require a fresh sign-in',
    policy: { ...customersOnly, limit: 'signIn' },
    body: z
      .strictObject({
        password: password.optional(),
        code: secondFactorCode.optional(),
        passkey: webAuthnAnswer.optional(),
      })
      .refine(({ password: given, passkey: used }) => given !== undefined || used !== undefined, {
        path: ['password'],
        error: 'Password is Required',
      }),
    answer: acknowledged,
    failures: ['INVALID_CODE', 'INVALID_PASSKEY'],
    invalidates: 'sessions',
  }),
  confirmOptions: operation({
    at: 'POST /auth/confirm/options',
    id: 'challengeConfirmation',
    summary: 'The WebAuthn options for confirming who is signed in with one of their passkeys',
    policy: { ...customersOnly, limit: 'challenges' },
    answer: options,
  }),
});

const requirement = z
  .strictObject({ required: z.boolean({ error: 'must be true or false' }) })
  .meta({ id: 'AdminRequirement' });

/** Second factors of the own account, and whether admins must have one. Whether an admin may act can depend on each change. */
export const secondFactorOperations = grouped('Second factors', {
  security: relay({
    at: 'GET /auth/security',
    id: 'getSecurity',
    summary: 'How your account is signed in to, and what protects it',
    policy: customersOnly,
    to: output(contract.security, signInSecurity.meta({ id: 'SignInSecurity' })),
  }),
  beginTotp: relay({
    at: 'POST /auth/totp',
    id: 'beginTotp',
    summary: 'A secret for an authenticator app; it takes effect once a code is confirmed',
    policy: fresh,
    failures: ['INVALID_TRANSITION'],
    to: output(
      contract.beginTotp,
      z.object({
        secret: z.string(),
        uri: z.string(),
        qr: z
          .object({ size: z.int(), path: z.string() })
          .describe('Modules per side, and the dark ones as an SVG path.'),
      }),
    ),
  }),
  confirmTotp: relay({
    at: 'POST /auth/totp/confirm',
    id: 'confirmTotp',
    summary: 'Set up the authenticator app with its first code',
    policy: fresh,
    body: z.strictObject({ code: secondFactorCode }),
    failures: ['INVALID_CODE', 'INVALID_TRANSITION', 'RATE_LIMITED'],
    invalidates: 'sessions',
    to: output(contract.confirmTotp, z.object({ recoveryCodes: recoveryCodes.nullable() })),
  }),
  removeTotp: relay({
    at: 'DELETE /auth/totp',
    id: 'removeTotp',
    summary: 'Remove the authenticator app',
    policy: fresh,
    invalidates: 'sessions',
    to: output(contract.removeTotp),
  }),
  renewRecoveryCodes: relay({
    at: 'POST /auth/recovery-codes',
    id: 'renewRecoveryCodes',
    summary: 'Ten new recovery codes; the old ones stop working',
    policy: fresh,
    failures: ['INVALID_TRANSITION'],
    to: output(contract.renewRecoveryCodes, z.object({ recoveryCodes })),
  }),
  beginPasskey: relay({
    at: 'POST /auth/passkeys/options',
    id: 'beginPasskey',
    summary: 'The WebAuthn options for creating a passkey',
    policy: fresh,
    failures: ['COLLECTION_FULL'],
    to: output(contract.beginPasskey, options),
  }),
  addPasskey: relay({
    at: 'POST /auth/passkeys',
    id: 'createPasskey',
    summary: 'Register a passkey',
    policy: fresh,
    body: passkeyName.extend({ passkey: webAuthnAnswer }),
    status: 201,
    failures: ['INVALID_PASSKEY', 'DUPLICATE'],
    invalidates: 'sessions',
    to: output(
      contract.addPasskey,
      z.object({ passkey: passkeyRecord, recoveryCodes: recoveryCodes.nullable() }),
    ),
  }),
  renamePasskey: relay({
    at: 'PUT /auth/passkeys/:id',
    id: 'renamePasskey',
    summary: 'Rename a passkey',
    policy: customersOnly,
    body: passkeyName,
    failures: ['NOT_FOUND'],
    to: output(contract.renamePasskey, passkeyRecord),
  }),
  removePasskey: relay({
    at: 'DELETE /auth/passkeys/:id',
    id: 'deletePasskey',
    summary: 'Remove a passkey',
    policy: fresh,
    failures: ['NOT_FOUND'],
    invalidates: 'sessions',
    to: deleted(contract.removePasskey),
  }),
  requirement: relay({
    at: 'GET /auth/admin-requirement',
    id: 'getAdminRequirement',
    summary: 'Whether every admin must have a second factor',
    policy: adminsOnly,
    to: output(contract.requirement, requirement),
  }),
  setRequirement: relay({
    at: 'PUT /auth/admin-requirement',
    id: 'setAdminRequirement',
    summary: 'Require a second factor of every admin, or stop requiring it; you need one yourself',
    policy: { ...adminsOnly, fresh: true },
    body: requirement,
    failures: ['SECOND_FACTOR_MISSING'],
    invalidates: 'sessions',
    to: output(contract.setRequirement, requirement),
  }),
});
