import { useState } from 'react';
import { Link } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { Waiting } from '../../components/Waiting.js';
import { callApi, type Problem } from '../../lib/api.js';
import { useSession } from '../../lib/session.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { RequireAccount } from '../../workspace/RequireAccount.js';
import { VerifyCallout } from '../../workspace/VerifyCallout.js';
import { MailedLinkScreen } from './MailedLinkScreen.js';
import { useLinkToken } from '../../lib/link-token.js';

export function Component() {
  const token = useLinkToken();
  if (token === undefined) return <Waiting />;
  // The key changes when a newer link is opened in the same tab.
  return token === null ? <NoLink /> : <VerifyEmail key={token} token={token} />;
}

function VerifyEmail({ token }: { token: string }) {
  const [email, setEmail] = useState<string>();
  return email === undefined ? (
    <AskToConfirm token={token} onConfirmed={setEmail} />
  ) : (
    <AddressConfirmed email={email} />
  );
}

/** Asks for a click. Some mail programs open every link, and would otherwise confirm an address with which somebody else has registered. */
function AskToConfirm({ token, onConfirmed }: { token: string; onConfirmed(email: string): void }) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function confirm(): Promise<void> {
    if (sending) return;
    setSending(true);
    const answer = await callApi('POST /auth/verify-email', { body: { token } });
    setSending(false);
    if (!answer.ok) return setProblem(answer.problem);
    announceSessionChange();
    onConfirmed(answer.value.email);
  }
  return (
    <MailedLinkScreen title="Confirm your address">
      <p className="lead">Confirm that this account is yours.</p>
      <FormProblem problem={problem} />
      {problem?.code === 'LINK_EXPIRED' ? (
        <AnotherLink />
      ) : (
        <p>
          <button className="button" type="button" aria-disabled={sending} onClick={() => void confirm()}>
            Confirm address
          </button>
        </p>
      )}
      <p className="mailed-link-screen__aside">
        Didn’t register or ask to change your address? Close this page. Nothing changes unless you confirm.
      </p>
    </MailedLinkScreen>
  );
}

function AddressConfirmed({ email }: { email: string }) {
  const session = useSession();
  const target = session.status === 'signed-in' ? '/dashboard' : '/login';
  return (
    <MailedLinkScreen title="Address confirmed">
      <p className="lead" role="status">
        {email} is now confirmed for your account.
      </p>
      <p>
        <Link className="button" to={target}>
          {target === '/login' ? 'Sign in' : 'Go to your dashboard'}
        </Link>
      </p>
    </MailedLinkScreen>
  );
}

function NoLink() {
  return (
    <MailedLinkScreen title="Confirm your address">
      <p className="lead">Click the link in the e-mail we sent you. You can use it once, within a day.</p>
      <AnotherLink />
    </MailedLinkScreen>
  );
}

const accountPath = '/account';

/** The link may have been for the account's address, or for a change to another one. The account screen can send a new link of either kind. */
function AnotherLink() {
  const session = useSession();
  if (session.status === 'signed-out')
    return (
      <p>
        <Link to="/login" state={{ from: accountPath }}>
          Sign in
        </Link>{' '}
        to get a new link.
      </p>
    );
  if (session.status === 'unknown') return null;
  const { email, emailVerified } = session.account;
  return (
    <>
      {emailVerified ? (
        <p>{email} is confirmed.</p>
      ) : (
        // `VerifyCallout` needs the query client that `RequireAccount` provides.
        <RequireAccount access="account">
          <VerifyCallout email={email} />
        </RequireAccount>
      )}
      <p>
        To change your address, request a new link in <Link to={accountPath}>your account</Link>.
      </p>
    </>
  );
}
