import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { callApi, type Problem } from './api.js';

// This module is a chunk of its own. The login loads it immediately; other screens load it when somebody uses or adds a passkey.

export const canOfferPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();
export const stopOffering = (): void => WebAuthnAbortService.cancelCeremony();

export type PasskeyAnswer = { passkey: Record<string, unknown> } | { problem: Problem | undefined };
type OptionsAddress =
  | 'POST /auth/passkey/options'
  | 'POST /auth/second-factor/options'
  | 'POST /auth/confirm/options';

/**
 * `problem` is undefined if the person cancels the ceremony, if it times out, or if `stopOffering` or another ceremony ends it. With `offer`, the
 * browser lists the passkeys at the e-mail field instead of opening a dialog.
 */
export async function askPasskey(at: OptionsAddress, { offer = false } = {}): Promise<PasskeyAnswer> {
  const answer = await callApi(at);
  if (!answer.ok) return { problem: answer.problem };
  // The operation declares the options only as an object.
  const optionsJSON = answer.value.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return runCeremony(() => startAuthentication({ optionsJSON, useBrowserAutofill: offer }));
}

export async function makePasskey(): Promise<PasskeyAnswer> {
  const answer = await callApi('POST /auth/passkeys/options');
  if (!answer.ok) return { problem: answer.problem };
  const optionsJSON = answer.value.options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return runCeremony(() => startRegistration({ optionsJSON }));
}

async function runCeremony(work: () => Promise<object>): Promise<PasskeyAnswer> {
  try {
    return { passkey: { ...(await work()) } };
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') return { problem: undefined };
    const sentence =
      name === 'InvalidStateError'
        ? 'This device already has a passkey for your account.'
        : 'This device couldn’t use a passkey. Try another way.';
    return { problem: { status: 0, sentence, fields: [] } };
  }
}
