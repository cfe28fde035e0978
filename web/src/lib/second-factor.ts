import { useState } from 'react';
import type { Account } from '#libs/contracts';
import { callApi, type Problem } from './api.js';
import { useForm } from './form.js';
import { startSession } from './session.js';

/** The second step of a sign-in, by a code or by a passkey. Success changes the session. */
export function useSecondFactor() {
  /** Why the passkey was refused, if that was the last attempt. */
  const [refused, setRefused] = useState<Problem>();
  const { problem, ...form } = useForm<'code', { account: Account }>({
    checks: { code: (code) => (code.trim() ? undefined : 'Enter a code') },
    send({ code }) {
      setRefused(undefined);
      return startSession(callApi('POST /auth/second-factor', { body: { code } }));
    },
    sent: () => undefined,
  });
  async function byPasskey(): Promise<void> {
    const { askPasskey } = await import('./passkeys.js');
    const answer = await askPasskey('POST /auth/second-factor/options');
    if ('problem' in answer) return setRefused(answer.problem);
    const entered = await startSession(callApi('POST /auth/second-factor', { body: answer }));
    setRefused(entered.ok ? undefined : entered.problem);
  }
  // What is wrong with the code is shown at its field.
  const shown = refused ?? (problem?.fields.length ? undefined : problem);
  return { ...form, problem: shown, byPasskey: () => void byPasskey() };
}
