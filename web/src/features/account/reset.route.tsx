import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { NewPasswordField } from '../../components/PasswordField.js';
import { Waiting } from '../../components/Waiting.js';
import { callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { MailedLinkScreen } from './MailedLinkScreen.js';
import { checkEmail, checkNewPassword } from './checks.js';
import { useLinkToken } from '../../lib/link-token.js';

export function Component() {
  const token = useLinkToken();
  // The key changes when a newer link is opened in the same tab.
  return token === undefined ? <Waiting /> : <ResetPassword key={token} token={token} />;
}

/** `token` is null if no link led here, and after a reload. */
function ResetPassword({ token }: { token: string | null }) {
  const [wantsNewLink, setWantsNewLink] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const [changed, setChanged] = useState(false);
  if (changed) return <PasswordChanged />;
  if (token !== null && !wantsNewLink)
    return (
      <NewPassword
        token={token}
        onChanged={() => setChanged(true)}
        showLinkForm={() => setWantsNewLink(true)}
      />
    );
  if (sentTo !== undefined) return <LinkSent to={sentTo} changeAddress={() => setSentTo(undefined)} />;
  return <RequestLink onSent={setSentTo} />;
}

function RequestLink({ onSent }: { onSent(email: string): void }) {
  const { form, field, problem, sending } = useForm({
    checks: { email: checkEmail },
    send: async ({ email }) => {
      const answer = await callApi('POST /auth/forgot-password', { body: { email: email.trim() } });
      return answer.ok ? { ...answer, value: email.trim() } : answer;
    },
    onSent,
  });
  return (
    <MailedLinkScreen title="Reset your password">
      <p className="lead">
        Enter your account’s e-mail address. We’ll send you a link to choose a new password.
      </p>
      <form className="form account-form" method="post" aria-label="Reset your password" {...form}>
        <Field {...field('email')} label="E-mail" type="email" autoComplete="username" required />
        <FormProblem problem={problem} />
        <p className="buttons">
          <button className="button" type="submit" aria-disabled={sending}>
            {sending ? 'One moment' : 'Send link'}
          </button>
        </p>
      </form>
      <p>
        <Link to="/login">Back to login</Link>
      </p>
    </MailedLinkScreen>
  );
}

/** The text does not reveal whether the account exists. */
function LinkSent({ to, changeAddress }: { to: string; changeAddress(): void }) {
  return (
    <MailedLinkScreen title="Check your inbox">
      <p className="lead" role="status">
        If {to} has an account, we’ve sent a link to it. You can use the link once, within an hour.
      </p>
      <p>No e-mail after a few minutes? Check your spam folder and the address.</p>
      <p>
        <button className="button button--quiet" type="button" onClick={changeAddress}>
          Try another address
        </button>
      </p>
    </MailedLinkScreen>
  );
}

interface NewPasswordProps {
  token: string;
  onChanged(): void;
  showLinkForm(): void;
}

function NewPassword({ token, onChanged, showLinkForm }: NewPasswordProps) {
  const { form, field, problem, sending } = useForm({
    checks: { password: checkNewPassword },
    send: ({ password }) => callApi('POST /auth/reset-password', { body: { token, password } }),
    onSent: () => {
      // The reset ends every session, including one in this browser.
      announceSessionChange();
      onChanged();
    },
  });
  return (
    <MailedLinkScreen title="Choose a new password">
      <p className="lead">You’ll be signed out everywhere. Then sign in with your new password.</p>
      <form className="form account-form" method="post" aria-label="Choose a new password" {...form}>
        <NewPasswordField {...field('password')} label="New password" required />
        <FormProblem problem={problem} />
        <p className="buttons">
          {problem?.code === 'LINK_EXPIRED' ? (
            <button className="button" type="button" onClick={showLinkForm}>
              Request a new link
            </button>
          ) : (
            <button className="button" type="submit" aria-disabled={sending}>
              {sending ? 'One moment' : 'Save password'}
            </button>
          )}
        </p>
      </form>
    </MailedLinkScreen>
  );
}

function PasswordChanged() {
  return (
    <MailedLinkScreen title="Password changed">
      <p className="lead" role="status">
        Sign in with your new password.
      </p>
      <p>
        <Link className="button" to="/login">
          Login
        </Link>
      </p>
    </MailedLinkScreen>
  );
}
