import './session.css';
import type { ReactNode } from 'react';
import type { Account } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import type { Answer } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import type { Credentials } from '../../lib/session.js';

/** Local part, one @, a domain with a dot: what is certainly wrong is said at once, the server judges the rest. */
const looksLikeAddress = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

const checks = {
  email: (value: string) => {
    if (!value.trim()) return 'Email is Required';
    return looksLikeAddress.test(value.trim()) ? undefined : 'Provide a Valid Email';
  },
  password: (value: string) => {
    if (!value) return 'Password is Required';
    return value.length < 6 ? 'Minimum 6 Characters' : undefined;
  },
};

interface CredentialsFormProps {
  /** Also the form's accessible name. */
  title: string;
  action: string;
  passwordAutoComplete: 'current-password' | 'new-password';
  send(credentials: Credentials): Promise<Answer<{ account: Account }>>;
  sent(): void;
  children: ReactNode;
}

export function CredentialsForm({
  title,
  action,
  passwordAutoComplete,
  send,
  sent,
  children,
}: CredentialsFormProps) {
  const { form, field, problem, sending } = useForm({
    checks,
    send: ({ email, password }) => send({ email: email.trim(), password }),
    sent,
  });
  return (
    <div className="session wrap">
      <form className="session__form form" method="post" aria-labelledby="session-title" {...form}>
        <h1 id="session-title">{title}</h1>
        <Field {...field('email')} label="E-mail" type="email" autoComplete="username" required />
        <Field
          {...field('password')}
          label="Password"
          type="password"
          autoComplete={passwordAutoComplete}
          required
        />
        <FormProblem problem={problem} />
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : action}
        </button>
        {children}
      </form>
    </div>
  );
}
