import { useState } from 'react';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { PasswordField } from '../../components/PasswordField.js';
import { callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { checkEmail, checkCurrentPassword } from './checks.js';

/** It takes the place of the form, which had the focus. */
const focus = (sentence: HTMLElement | null) => sentence?.focus();

/** The address changes only once the owner of the new address has confirmed it through the mailed link. */
export function ChangeEmail({ hasPassword, close }: { hasPassword: boolean; close(): void }) {
  const [sentTo, setSentTo] = useState<string>();
  const { form, field, problem, sending } = useForm({
    checks: { email: checkEmail, currentPassword: hasPassword ? checkCurrentPassword : () => undefined },
    send: async ({ email, currentPassword }) => {
      const body = { email: email.trim(), ...(hasPassword && { currentPassword }) };
      const answer = await callApi('POST /auth/change-email', { body });
      return answer.ok ? { ...answer, value: body.email } : answer;
    },
    onSent: setSentTo,
  });
  if (sentTo !== undefined)
    return (
      <div className="account-form">
        <p tabIndex={-1} ref={focus}>
          If no other account uses {sentTo}, we’ve sent a link to it. Open the link and confirm to change your
          address.
        </p>
        <button className="button button--quiet" type="button" onClick={close}>
          Close
        </button>
      </div>
    );
  return (
    <form className="form account-form" method="post" aria-label="Change e-mail" {...form}>
      <Field {...field('email')} label="New e-mail" type="email" autoComplete="email" autoFocus required />
      {hasPassword && (
        <PasswordField
          {...field('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          required
        />
      )}
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Send link'}
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}
