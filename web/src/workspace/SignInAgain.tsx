import { useEffect, useId, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { Field } from '../components/Field.js';
import { FormProblem } from '../components/FormProblem.js';
import { useForm } from '../lib/form.js';
import { signIn } from '../lib/session.js';

/** The session ended while somebody worked: they sign in here, and nothing they typed is touched. */
export function SignInAgain({ account: { email } }: { account: Account }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => dialog.current?.showModal(), []);
  const { form, field, problem, sending } = useForm({
    checks: { currentPassword: (value) => (value ? undefined : 'Password is Required') },
    send: ({ currentPassword }) => signIn({ email, password: currentPassword }),
    sent: () => undefined,
  });
  return (
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id={titleId}>Your session has ended</h2>
      <p>Sign in as {email} to go on. What you typed is still here.</p>
      <form className="form" method="post" {...form}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          {...field('currentPassword')}
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <FormProblem problem={problem} />
        <p className="buttons">
          <button
            className="button button--quiet"
            type="button"
            onClick={() => void navigate('/login', { state: { from: pathname + search } })}
          >
            Other ways to sign in
          </button>
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Login'}
          </button>
        </p>
      </form>
    </dialog>
  );
}
