import './team.css';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { Waiting } from '../../components/Waiting.js';
import { type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import { forgetInvitation, keepInvitation, keptInvitation } from '../../lib/kept-invitation.js';
import { useLinkToken } from '../../lib/link-token.js';
import { useSession } from '../../lib/session.js';
import { showToast } from '../../lib/toasts.js';
import { roleWords } from './roles.js';

type Offer = AnswerOf<'POST /team/invitation/read'>;

const path = '/team-invitation';
const kind = 'team-invitation';

/** Joins a customer’s team with the link from the mail. */
export function Component() {
  const found = useLinkToken();
  if (found === undefined) return <Waiting />;
  const token = found ?? keptInvitation(kind);
  return token === null ? <NoInvitation /> : <Read key={token} token={token} />;
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap team-invitation">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

function NoInvitation() {
  return (
    <Frame title="This invitation no longer works">
      <p className="lead">
        It’s incomplete, or it has expired, been used or been revoked. Ask the person who invited you to send
        a new one.
      </p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </Frame>
  );
}

function Read({ token }: { token: string }) {
  const [offer, setOffer] = useState<Offer>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    // Kept for after the sign-in, because the redirect from Google has no fragment.
    keepInvitation(kind, token);
    void callApi('POST /team/invitation/read', { body: { token } }).then((answer) => {
      if (answer.ok) return setOffer(answer.value);
      if (answer.problem.code === 'LINK_EXPIRED') forgetInvitation(kind);
      setProblem(answer.problem);
    });
  }, [token]);
  if (problem?.code === 'LINK_EXPIRED' || problem?.status === 400) return <NoInvitation />;
  if (problem)
    return (
      <Frame title="Team invitation">
        <FormProblem problem={problem} />
      </Frame>
    );
  return offer ? <Invited token={token} offer={offer} /> : <Waiting />;
}

interface InvitedProps {
  token: string;
  offer: Offer;
}

function Invited({ token, offer }: InvitedProps) {
  const session = useSession();
  if (session.status === 'unknown') return <Waiting />;
  return (
    <Frame title={`Join the team of ${offer.ownerName}`}>
      <p className="lead">
        {offer.ownerName} invited {offer.name} ({offer.email}) to work together.
      </p>
      <p>{roleWords[offer.role].invited}</p>
      {session.status === 'signed-in' ? (
        <SignedIn token={token} offer={offer} account={session.account} />
      ) : (
        <SignedOut email={offer.email} />
      )}
    </Frame>
  );
}

function SignedOut({ email }: { email: string }) {
  return (
    <>
      <p className="buttons">
        <Link className="button" to="/register" state={{ from: path }}>
          Create an account
        </Link>
        <Link className="button button--quiet" to="/login" state={{ from: path }}>
          Sign in
        </Link>
      </p>
      <p className="team-invitation__hint">Use the address {email}, which the invitation is for.</p>
    </>
  );
}

function SignedIn({ token, offer, account }: InvitedProps & { account: Account }) {
  if (account.email.toLowerCase() !== offer.email.toLowerCase())
    return (
      <p role="status">
        You’re signed in as {account.email}. Sign out, then open the link again to continue as {offer.email}.
      </p>
    );
  return account.emailVerified ? <Accept token={token} offer={offer} /> : <Confirm email={account.email} />;
}

/** Only the owner of the address may join, so the address has to be confirmed first. */
function Confirm({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function send(): Promise<void> {
    const answer = await callApi('POST /auth/resend-verification');
    setSent(answer.ok);
    setProblem(answer.ok ? undefined : answer.problem);
  }
  return (
    <>
      <p role="status">
        {sent
          ? 'Sent. Check your inbox.'
          : `One more step: click the link that we sent to ${email}, to confirm your address. Then open the invitation again.`}
      </p>
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => void send()}>
          Send new link
        </button>
      </p>
    </>
  );
}

function Accept({ token, offer }: InvitedProps) {
  const navigate = useNavigate();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function accept(): Promise<void> {
    if (sending) return;
    setSending(true);
    const answer = await callApi('POST /team/invitation/accept', { body: { token } });
    setSending(false);
    if (!answer.ok) return setProblem(answer.problem);
    forgetInvitation(kind);
    showToast(`You’ve joined the team of ${offer.ownerName}`);
    await navigate(offer.role === 'member' ? '/projects' : '/dashboard', { replace: true });
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
