import { z } from 'zod';
import {
  passkey,
  password,
  secondFactorCode,
  secondFactorProof,
  signInSecurity,
  webAuthnAnswer,
  writtenLine,
} from '#libs/contracts';
import { adminsOnly, customersOnly, type Policy } from '../policy/policy.js';
import { acknowledged, acknowledgedDelete } from '../routing/acknowledged.js';
import type { Endpoint } from '../routing/endpoint.js';
import { signedInAnswer } from './auth.endpoints.js';

const signingIn = 'Signing in';
const group = 'Second factors';

const signsIn: Policy = { access: 'public', session: 'ignored', setsCookies: true, limit: 'signIn' };
const challenged: Policy = { access: 'public', session: 'ignored', limit: 'challenges' };
const own: Policy = customersOnly;
const ownAndFresh: Policy = { ...customersOnly, fresh: true };

const options = z.object({ options: z.record(z.string(), z.unknown()) }).meta({ id: 'PasskeyOptions' });
const passkeyRecord = passkey.meta({ id: 'Passkey' });
const recoveryCodes = z.array(z.string()).describe('Shown this once.');
const passkeyName = z.strictObject({ name: writtenLine(60) });

export const finishEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/second-factor',
  policy: signsIn,
  operationId: 'finishSignIn',
  summary: 'The second step of a sign-in: a code of the app, a recovery code, or a passkey',
  group: signingIn,
  body: secondFactorProof.meta({ id: 'SecondFactorProof' }),
  status: 200,
  answer: signedInAnswer,
  failures: ['INVALID_INPUT', 'INVALID_CODE', 'INVALID_PASSKEY', 'SIGN_IN_EXPIRED'],
};

export const finishOptionsEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/second-factor/options',
  policy: challenged,
  operationId: 'challengeSecondFactor',
  summary: 'What the browser asks a passkey for the second step of a sign-in',
  group: signingIn,
  status: 200,
  answer: options,
  failures: ['SIGN_IN_EXPIRED'],
};

export const passkeyOptionsEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/passkey/options',
  policy: challenged,
  operationId: 'challengePasskey',
  summary: 'What the browser asks any passkey of this site for a sign-in',
  group: signingIn,
  status: 200,
  answer: options,
  failures: [],
};

export const passkeySignInEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/passkey',
  policy: signsIn,
  operationId: 'signInByPasskey',
  summary: 'Sign in by a passkey, which is both factors in one',
  group: signingIn,
  body: z.strictObject({ passkey: webAuthnAnswer }),
  status: 200,
  answer: signedInAnswer,
  failures: ['INVALID_INPUT', 'INVALID_PASSKEY'],
};

export const confirmEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/confirm',
  policy: { ...own, limit: 'signIn' },
  operationId: 'confirmSignIn',
  summary: 'Prove again who is signed in, for what asks for a fresh sign-in',
  group: signingIn,
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
  status: 200,
  answer: acknowledged,
  failures: ['INVALID_INPUT', 'INVALID_CODE', 'INVALID_PASSKEY'],
};

export const confirmOptionsEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/confirm/options',
  policy: { ...own, limit: 'challenges' },
  operationId: 'challengeConfirmation',
  summary: 'What the browser asks one of the own passkeys to confirm who is signed in',
  group: signingIn,
  status: 200,
  answer: options,
  failures: [],
};

export const securityEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/security',
  policy: own,
  operationId: 'getSecurity',
  summary: 'By what the own account is signed in to, and what protects it',
  group,
  status: 200,
  answer: signInSecurity.meta({ id: 'SignInSecurity' }),
  failures: [],
};

export const beginTotpEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/totp',
  policy: ownAndFresh,
  operationId: 'beginTotp',
  summary: 'A secret for an authenticator app; it counts once a code was given',
  group,
  status: 200,
  answer: z.object({
    secret: z.string(),
    uri: z.string(),
    qr: z
      .object({ size: z.int(), path: z.string() })
      .describe('Modules a side, and the dark ones as an SVG path.'),
  }),
  failures: ['INVALID_TRANSITION'],
};

export const confirmTotpEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/totp/confirm',
  policy: ownAndFresh,
  operationId: 'confirmTotp',
  summary: 'Set up the authenticator app by its first code',
  group,
  body: z.strictObject({ code: secondFactorCode }),
  status: 200,
  answer: z.object({ recoveryCodes: recoveryCodes.nullable() }),
  failures: ['INVALID_INPUT', 'INVALID_CODE', 'INVALID_TRANSITION', 'RATE_LIMITED'],
};

export const removeTotpEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/auth/totp',
  policy: ownAndFresh,
  operationId: 'removeTotp',
  summary: 'Remove the authenticator app',
  group,
  status: 200,
  answer: z.object({ removed: z.boolean() }),
  failures: [],
};

export const recoveryCodesEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/recovery-codes',
  policy: ownAndFresh,
  operationId: 'renewRecoveryCodes',
  summary: 'Ten new recovery codes; the old ones are void',
  group,
  status: 200,
  answer: z.object({ recoveryCodes }),
  failures: ['INVALID_TRANSITION'],
};

export const newPasskeyOptionsEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/passkeys/options',
  policy: ownAndFresh,
  operationId: 'beginPasskey',
  summary: 'What the browser makes a passkey from',
  group,
  status: 200,
  answer: options,
  failures: ['COLLECTION_FULL'],
};

export const addPasskeyEndpoint: Endpoint = {
  method: 'POST',
  path: '/auth/passkeys',
  policy: ownAndFresh,
  operationId: 'createPasskey',
  summary: 'Register a passkey',
  group,
  body: passkeyName.extend({ passkey: webAuthnAnswer }),
  status: 201,
  answer: z.object({ passkey: passkeyRecord, recoveryCodes: recoveryCodes.nullable() }),
  failures: ['INVALID_INPUT', 'INVALID_PASSKEY', 'DUPLICATE'],
};

export const renamePasskeyEndpoint: Endpoint = {
  method: 'PUT',
  path: '/auth/passkeys/:id',
  policy: own,
  operationId: 'renamePasskey',
  summary: 'Call a passkey otherwise',
  group,
  body: passkeyName,
  status: 200,
  answer: passkeyRecord,
  failures: ['INVALID_INPUT', 'NOT_FOUND'],
};

export const removePasskeyEndpoint: Endpoint = {
  method: 'DELETE',
  path: '/auth/passkeys/:id',
  policy: ownAndFresh,
  operationId: 'deletePasskey',
  summary: 'Remove a passkey',
  group,
  status: 200,
  answer: acknowledgedDelete,
  failures: ['NOT_FOUND'],
};

const requirement = z
  .strictObject({ required: z.boolean({ error: 'must be true or false' }) })
  .meta({ id: 'AdminRequirement' });

export const requirementEndpoint: Endpoint = {
  method: 'GET',
  path: '/auth/admin-requirement',
  policy: adminsOnly,
  operationId: 'getAdminRequirement',
  summary: 'Whether every admin must have a second factor',
  group,
  status: 200,
  answer: requirement,
  failures: [],
};

export const setRequirementEndpoint: Endpoint = {
  method: 'PUT',
  path: '/auth/admin-requirement',
  policy: { ...adminsOnly, fresh: true },
  operationId: 'setAdminRequirement',
  summary: 'Demand a second factor of every admin, or no longer; whoever demands it has one',
  group,
  body: requirement,
  status: 200,
  answer: requirement,
  failures: ['INVALID_INPUT', 'SECOND_FACTOR_MISSING'],
};

export const secondFactorEndpoints: readonly Endpoint[] = [
  finishEndpoint,
  finishOptionsEndpoint,
  passkeyOptionsEndpoint,
  passkeySignInEndpoint,
  confirmEndpoint,
  confirmOptionsEndpoint,
  securityEndpoint,
  beginTotpEndpoint,
  confirmTotpEndpoint,
  removeTotpEndpoint,
  recoveryCodesEndpoint,
  newPasskeyOptionsEndpoint,
  addPasskeyEndpoint,
  renamePasskeyEndpoint,
  removePasskeyEndpoint,
  requirementEndpoint,
  setRequirementEndpoint,
];
