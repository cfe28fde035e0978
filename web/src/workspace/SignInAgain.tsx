import { type ReactNode, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { Field } from '../components/Field.js';
import { FormProblem } from '../components/FormProblem.js';
import { PasswordField } from '../components/PasswordField.js';
import { callApi, type Problem } from '../lib/api.js';
import { useForm } from '../lib/form.js';
import { useSecondFactor } from '../lib/second-factor.js';
import { startSession } from '../lib/session.js';
import { useModal } from './use-modal.js';

/** The person signs in here when the session ends on a screen with unsaved changes, and nothing typed is lost. */
export function SignInAgain({ account: { email } }: { account: Account }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { pathname, search, hash } = useLocation();
  const [secondFactor, setSecondFactor] = useState<Problem['secondFactor']>();
  useModal(dialog);
  // A link, because `useLeaveGuard` asks before the person follows one, but not before a navigation by code.
  const otherWays = (
    <Link className="button button--quiet" to="/login" state={{ from: pathname + search + hash }}>
      Other ways to sign in
    </Link>
  );
  return (
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      // Both are needed; see `Dialog`.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id={titleId}>Your session has ended</h2>
      <p>Sign in as {email} to continue. Your unsaved changes are still here.</p>
      {secondFactor ? (
        <SecondFactorForm methods={secondFactor.methods} restart={() => setSecondFactor(undefined)}>
          {otherWays}
        </SecondFactorForm>
      ) : (
        <PasswordForm email={email} setSecondFactor={setSecondFactor}>
          {otherWays}
        </PasswordForm>
      )}
    </dialog>
  );
}

interface PasswordFormProps {
  email: string;
  setSecondFactor(secondFactor: Problem['secondFactor']): void;
  children: ReactNode;
}

function PasswordForm({ email, setSecondFactor, children }: PasswordFormProps) {
  const { form, field, problem, sending } = useForm({
    checks: { signInPassword: (value) => (value ? undefined : 'Password is Required') },
    async send({ signInPassword }) {
      const body = { email, password: signInPassword };
      const answer = await startSession(callApi('POST /auth/login', { body }));
      if (!answer.ok) setSecondFactor(answer.problem.secondFactor);
      return answer;
    },
    // The new session makes `RequireAccount` remove this dialog.
    onSent: () => undefined,
  });
  return (
    <form className="form" method="post" {...form}>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...field('signInPassword')}
        label="Password"
        autoComplete="current-password"
        autoFocus
        required
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        {children}
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Login'}
        </button>
      </p>
    </form>
  );
}

interface SecondFactorFormProps {
  methods: readonly string[];
  /** Asks for the password again. */
  restart(): void;
  children: ReactNode;
}

function SecondFactorForm({ methods, restart, children }: SecondFactorFormProps) {
  const { form, field, problem, sending, hasApp, hasPasskey, confirmWithPasskey } = useSecondFactor(methods);
  return (
    <form className="form" method="post" {...form}>
      <Field
        {...field('code')}
        label={hasApp ? 'Code from your app, or a recovery code' : 'Recovery code'}
        autoComplete="one-time-code"
        autoFocus
        required
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        {children}
        {problem?.code === 'SIGN_IN_EXPIRED' && (
          <button className="button button--quiet" type="button" onClick={restart}>
            Start over
          </button>
        )}
        {hasPasskey && (
          <button className="button button--quiet" type="button" onClick={confirmWithPasskey}>
            Use a passkey
          </button>
        )}
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Continue'}
        </button>
      </p>
    </form>
  );
}
