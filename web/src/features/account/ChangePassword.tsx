import { FormProblem } from '../../components/FormProblem.js';
import { NewPasswordField, PasswordField } from '../../components/PasswordField.js';
import { callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { useRefetch } from '../../workspace/query.js';
import { checkNewPassword, checkCurrentPassword } from './checks.js';

interface ChangePasswordProps {
  email: string;
  /** False for accounts that sign in another way and set their first password here. */
  hasPassword: boolean;
  close(): void;
}

export function ChangePassword({ email, hasPassword, close }: ChangePasswordProps) {
  const refetch = useRefetch();
  const { form, field, problem, sending } = useForm({
    checks: {
      currentPassword: hasPassword ? checkCurrentPassword : () => undefined,
      password: checkNewPassword,
    },
    send: ({ currentPassword, password }) =>
      callApi('POST /auth/change-password', {
        body: { password, ...(hasPassword && { currentPassword }) },
      }),
    onSent: () => {
      showToast(hasPassword ? 'Password changed' : 'Password set');
      announceSessionChange();
      close();
      void refetch();
    },
  });
  return (
    <form
      className="form account-form"
      method="post"
      aria-label={hasPassword ? 'Change password' : 'Set password'}
      {...form}
    >
      {/* Tells a password manager whose password changes. It would ignore a field of the type hidden. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <PasswordField
          {...field('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          autoFocus
          required
        />
      )}
      <NewPasswordField {...field('password')} label="New password" autoFocus={!hasPassword} required />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Save password'}
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}
