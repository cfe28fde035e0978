import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { Ladder } from '../../components/Ladder.js';
import { useSecondFactor } from '../../lib/second-factor.js';

interface SecondStepProps {
  /** The account's ways to complete the sign-in; undefined if they are not known. */
  methods: readonly string[] | undefined;
  restart(): void;
}

export function SecondStep({ methods, restart }: SecondStepProps) {
  const { form, field, problem, sending, hasApp, hasPasskey, confirmWithPasskey } = useSecondFactor(methods);
  return (
    <div className="session">
      <div className="session__panel deep">
        <Ladder form="risen" />
      </div>
      <form className="session__form form" method="post" aria-labelledby="session-title" {...form}>
        <h1 id="session-title">Confirm your sign-in</h1>
        <p>
          {hasApp
            ? 'Enter the 6-digit code from your authenticator app, or a recovery code.'
            : 'Use your passkey, or enter a recovery code.'}
        </p>
        <Field
          {...field('code')}
          label={hasApp ? 'Code' : 'Recovery code'}
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          required
        />
        <FormProblem problem={problem} />
        <p className="buttons">
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Continue'}
          </button>
          {hasPasskey && (
            <button className="button button--quiet" type="button" onClick={confirmWithPasskey}>
              Use a passkey
            </button>
          )}
          <button className="button button--quiet" type="button" onClick={restart}>
            Start over
          </button>
        </p>
      </form>
    </div>
  );
}
