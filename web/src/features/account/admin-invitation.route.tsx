import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { NewPasswordField } from '../../components/PasswordField.js';
import { Waiting } from '../../components/Waiting.js';
import { type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { startSession, useSession } from '../../lib/session.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { MailedLinkScreen } from './MailedLinkScreen.js';
import { checkNewPassword } from './checks.js';
import { forgetInvitation, keepInvitation, keptInvitation } from '../../lib/kept-invitation.js';
import { useLinkToken } from '../../lib/link-token.js';

type Offer = AnswerOf<'POST /auth/admin-invitation/read'>;

const path = '/admin-invitation';

/** Accepts an invitation to become an admin, with the link from the mail. */
export function Component() {
  const found = useLinkToken();
  if (found === undefined) return <Waiting />;
  const token = found ?? keptInvitation('admin-invitation');
  if (token === null) return <NoInvitation />;
  return <Read key={token} token={token} />;
}

function Read({ token }: { token: string }) {
  const [offer, setOffer] = useState<Offer>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    // Kept for after the sign-in, because the redirect from Google has no fragment.
    keepInvitation('admin-invitation', token);
    void callApi('POST /auth/admin-invitation/read', { body: { token } }).then((answer) => {
      if (answer.ok) return setOffer(answer.value);
      if (answer.problem.code === 'LINK_EXPIRED') forgetInvitation('admin-invitation');
      setProblem(answer.problem);
    });
  }, [token]);
  if (problem?.code === 'LINK_EXPIRED') return <NoInvitation />;
  if (problem)
    return (
      <MailedLinkScreen title="Admin invitation">
        <FormProblem problem={problem} />
      </MailedLinkScreen>
    );
  return offer ? <Invited token={token} offer={offer} /> : <Waiting />;
}

function NoInvitation() {
  return (
    <MailedLinkScreen title="This invitation no longer works">
      <p className="lead">
        The link is incomplete, or the invitation has expired, been used or been revoked. Ask the admin who
        invited you to send a new one.
      </p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </MailedLinkScreen>
  );
}

interface InvitedProps {
  token: string;
  offer: Offer;
}

function Invited({ token, offer }: InvitedProps) {
  const session = useSession();
  if (session.status === 'unknown') return <Waiting />;
  return (
    <MailedLinkScreen title="You’re invited to become an admin">
      <p className="lead">
        {offer.invitedBy} invited {offer.email} to manage this site, its orders and customers.
      </p>
      {session.status === 'signed-in' ? (
        <SignedIn token={token} offer={offer} account={session.account} />
      ) : offer.hasAccount ? (
        <p>
          <Link className="button" to="/login" state={{ from: path }}>
            Sign in to accept
          </Link>
        </p>
      ) : (
        <Join token={token} offer={offer} />
      )}
    </MailedLinkScreen>
  );
}

function SignedIn({ token, offer, account }: InvitedProps & { account: Account }) {
  if (account.email.toLowerCase() !== offer.email.toLowerCase())
    return (
      <p role="status">
        You’re signed in as {account.email}. Sign out, then open the link again to continue as {offer.email}.
      </p>
    );
  return account.emailVerified ? <Accept token={token} /> : <Join token={token} offer={offer} />;
}

function Accept({ token }: { token: string }) {
  const navigate = useNavigate();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function accept(): Promise<void> {
    if (sending) return;
    setSending(true);
    const answer = await callApi('POST /auth/admin-invitation/accept', { body: { token } });
    setSending(false);
    if (!answer.ok) return setProblem(answer.problem);
    forgetInvitation('admin-invitation');
    announceSessionChange();
    await navigate('/admin', { replace: true });
  }
  return (
    <>
      <FormProblem problem={problem} />
      <p>
        <button className="button" type="button" aria-disabled={sending} onClick={() => void accept()}>
          {sending ? 'One moment' : 'Accept invitation'}
        </button>
      </p>
    </>
  );
}

/** Creates the account for an address that no account has confirmed yet. The link from the mail confirms the address. */
function Join({ token, offer: { email } }: InvitedProps) {
  const navigate = useNavigate();
  // The token works once: if only the sign-in fails, the next attempt signs in.
  const hasJoined = useRef(false);
  const { form, field, problem, sending } = useForm({
    checks: { password: checkNewPassword },
    async send({ password }) {
      if (!hasJoined.current) {
        const joined = await callApi('POST /auth/admin-invitation/join', { body: { token, password } });
        if (!joined.ok) return joined;
        hasJoined.current = true;
        forgetInvitation('admin-invitation');
      }
      return startSession(callApi('POST /auth/login', { body: { email, password } }));
    },
    sent: () => navigate('/admin', { replace: true }),
  });
  return (
    <form className="form account-form" method="post" aria-label="Create your account" {...form}>
      <p>Choose a password to create your account for {email}.</p>
      {/* For password managers. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField {...field('password')} label="Password" required />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Create account and join'}
        </button>
      </p>
    </form>
  );
}
