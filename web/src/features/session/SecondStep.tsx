import { useState } from 'react';
import type { Account } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Ladder } from '../../components/Ladder.js';
import { callApi, type Problem } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { startSession } from '../../lib/session.js';

/** Asks for the second factor, after the password or the sign-in with Google. */
export function SecondStep({ restart }: { restart(): void }) {
  const [refused, setRefused] = useState<Problem>();
  const { form, field, problem, sending } = useForm<'code', { account: Account }>({
    checks: { code: (code) => (code.trim() ? undefined : 'Enter a code') },
    send: ({ code }) => {
      setRefused(undefined);
      return startSession(callApi('POST /auth/second-factor', { body: { code } }));
    },
    sent: () => undefined,
  });
  async function byPasskey(): Promise<void> {
    const { askPasskey } = await import('../../lib/passkeys.js');
    const answer = await askPasskey('POST /auth/second-factor/options');
    if ('problem' in answer) return setRefused(answer.problem);
    const entered = await startSession(callApi('POST /auth/second-factor', { body: answer }));
    setRefused(entered.ok ? undefined : entered.problem);
  }
  const shown = problem ?? refused;
  return (
    <div className="session">
      <div className="session__panel deep">
        <Ladder form="risen" />
      </div>
      <form className="session__form form" method="post" aria-labelledby="session-title" {...form}>
        <h1 id="session-title">Confirm your sign-in</h1>
        <p>Enter the 6-digit code from your authenticator app, or a recovery code.</p>
        <Field
          {...field('code')}
          label="Code"
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          required
        />
        <FormProblem problem={shown?.code === 'INVALID_CODE' ? undefined : shown} />
        <p className="buttons">
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Continue'}
          </button>
          <button className="button button--quiet" type="button" onClick={() => void byPasskey()}>
            Use a passkey
          </button>
          <button className="button button--quiet" type="button" onClick={restart}>
            Start over
          </button>
        </p>
      </form>
    </div>
  );
}
