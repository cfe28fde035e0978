import { useState } from 'react';
import type { Account } from '#libs/contracts';
import { callApi, type Problem } from './api.js';
import { useForm } from './form.js';
import { loadPasskeyCode } from './load-passkey-code.js';
import { startSession } from './session.js';

/** If the account's `methods` are not known, app and passkey are offered. Success changes the session. */
export function useSecondFactor(methods: readonly string[] | undefined) {
  const hasApp = methods?.includes('totp') ?? true;
  const hasPasskey = methods?.includes('passkey') ?? true;
  /** Why the last attempt failed, if it was made with a passkey. */
  const [passkeyProblem, setPasskeyProblem] = useState<Problem>();
  const { problem, ...form } = useForm<'code', { account: Account }>({
    checks: {
      code: (code) => {
        if (code.trim()) return undefined;
        return hasApp ? 'Enter a code' : 'Use your passkey, or enter a recovery code';
      },
    },
    send({ code }) {
      setPasskeyProblem(undefined);
      return startSession(callApi('POST /auth/second-factor', { body: { code } }));
    },
    onSent: () => undefined,
  });
  async function confirmWithPasskey(): Promise<void> {
    const { askPasskey } = await loadPasskeyCode();
    const answer = await askPasskey('POST /auth/second-factor/options');
    if ('problem' in answer) return setPasskeyProblem(answer.problem);
    const result = await startSession(callApi('POST /auth/second-factor', { body: answer }));
    setPasskeyProblem(result.ok ? undefined : result.problem);
  }
  // Problems of the code are shown at its field.
  const shownProblem = passkeyProblem ?? (problem?.fields.length ? undefined : problem);
  return {
    ...form,
    hasApp,
    hasPasskey,
    problem: shownProblem,
    confirmWithPasskey: () => void confirmWithPasskey(),
  };
}
