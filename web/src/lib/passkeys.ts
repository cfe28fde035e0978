import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { type Answer, callApi, type Problem } from './api.js';

// In a chunk of its own, fetched when somebody meets a passkey.

export const canUsePasskeys = (): boolean => browserSupportsWebAuthn();
/** The browser offers passkeys in the list under the e-mail field. */
export const canOfferPasskeys = (): Promise<boolean> => browserSupportsWebAuthnAutofill();
/** Ends an offer that nobody took up. */
export const stopOffering = (): void => WebAuthnAbortService.cancelCeremony();

export type PasskeyAnswer = { passkey: unknown } | { problem: Problem | undefined };

/** Asks for the options, then the person: gives what their authenticator signed. Without a problem when they changed their mind. */
export async function askPasskey(optionsPath: string, { offer = false } = {}): Promise<PasskeyAnswer> {
  const asked = await options<PublicKeyCredentialRequestOptionsJSON>(optionsPath);
  if (!asked.ok) return { problem: asked.problem };
  return ceremony(() => startAuthentication({ optionsJSON: asked.value.options, useBrowserAutofill: offer }));
}

/** The same for a new passkey. */
export async function makePasskey(): Promise<PasskeyAnswer> {
  const asked = await options<PublicKeyCredentialCreationOptionsJSON>('/auth/passkeys/options');
  if (!asked.ok) return { problem: asked.problem };
  return ceremony(() => startRegistration({ optionsJSON: asked.value.options }));
}

function options<T>(path: string): Promise<Answer<{ options: T }>> {
  return callApi<{ options: T }>(path, { method: 'POST', body: {} });
}

async function ceremony(work: () => Promise<unknown>): Promise<PasskeyAnswer> {
  try {
    return { passkey: await work() };
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
