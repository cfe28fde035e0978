import './session.css';
import type { ReactNode } from 'react';
import type { Account } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { NewPasswordField, PasswordField } from '../../components/PasswordField.js';
import { Ladder } from '../../components/Ladder.js';
import { WithoutScript } from '../../components/WithoutScript.js';
import type { Answer, Problem, RequestOf } from '../../lib/api.js';
import { looksLikeEmailAddress, useForm } from '../../lib/form.js';

const checks = {
  email: (value: string) => {
    if (!value.trim()) return 'Email is Required';
    return looksLikeEmailAddress(value) ? undefined : 'Provide a Valid Email';
  },
  password: (value: string) => {
    if (!value) return 'Password is Required';
    // `PASSWORD_MIN_LENGTH` is at least 6; if it is more, the server refuses shorter new passwords.
    return value.length < 6 ? 'Minimum 6 Characters' : undefined;
  },
};

type Credentials = RequestOf<'POST /auth/login' | 'POST /auth/register'>['body'];

interface CredentialsFormProps {
  /** Heading, and accessible name of the form. */
  title: string;
  actionLabel: string;
  /** True if the form creates an account, so that the person chooses a new password. */
  registers?: boolean;
  waitingText: string;
  /** Success changes the session, and the screen then redirects. */
  send(credentials: Credentials): Promise<Answer<{ account: Account }>>;
  /** Why a sign-in with Google failed and led back here, in a sentence. */
  googleFailure?: string | undefined;
  /** Lets the browser list passkeys at the e-mail field. */
  offersPasskeys?: boolean;
  children: ReactNode;
}

const problemOf = (sentence: string): Problem => ({ status: 0, sentence, fields: [] });

export function CredentialsForm({
  title,
  actionLabel,
  registers = false,
  waitingText,
  send,
  googleFailure,
  offersPasskeys = false,
  children,
}: CredentialsFormProps) {
  const { form, field, problem, sending } = useForm({
    checks,
    send: ({ email, password }) => send({ email: email.trim(), password }),
    onSent: () => undefined,
  });
  return (
    <div className="session">
      <div className="session__panel deep">
        <Ladder form="risen" />
      </div>
      <form
        className="session__form form"
        method="post"
        aria-labelledby="session-title"
        aria-busy={sending}
        {...form}
      >
        <h1 id="session-title">{title}</h1>
        <WithoutScript>This form needs JavaScript. Please turn it on and reload the page.</WithoutScript>
        <Field
          {...field('email')}
          label="E-mail"
          type="email"
          autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
          required
        />
        {registers ? (
          <NewPasswordField {...field('password')} label="Password" required />
        ) : (
          <PasswordField {...field('password')} label="Password" autoComplete="current-password" required />
        )}
        <FormProblem
          problem={problem ?? (googleFailure && !sending ? problemOf(googleFailure) : undefined)}
        />
        <div className="session__send">
          <button className="button" type="submit" aria-disabled={sending}>
            {actionLabel}
          </button>
          <p className="session__waiting" role="status">
            {sending && (
              <>
                <Ladder form="loading" />
                {waitingText}
              </>
            )}
          </p>
        </div>
        {children}
      </form>
    </div>
  );
}
