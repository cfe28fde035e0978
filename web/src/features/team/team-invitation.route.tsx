import './team.css';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { AcceptInvitation, Invitation } from '../../components/Invitation.js';
import { Waiting } from '../../components/Waiting.js';
import { type AnswerOf, callApi, type Problem } from '../../lib/api.js';
import { useSession } from '../../lib/session.js';
import { showToast } from '../../lib/toasts.js';
import { roleWords } from './roles.js';

type InvitationDetails = AnswerOf<'POST /team/invitation/read'>;

const screenPath = '/team-invitation';
const kind = 'team-invitation';

export function Component() {
  return (
    <Invitation kind={kind} title="Team invitation" inviter="person" Screen={Frame} read={readInvitation}>
      {(invitation) => <Invited {...invitation} />}
    </Invitation>
  );
}

const readInvitation = (token: string) => callApi('POST /team/invitation/read', { body: { token } });

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="screen wrap team-invitation">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface InvitedProps {
  token: string;
  details: InvitationDetails;
}

function Invited({ token, details }: InvitedProps) {
  const session = useSession();
  const navigate = useNavigate();
  if (session.status === 'unknown') return <Waiting />;
  return (
    <Frame title={`Join the team of ${details.ownerName}`}>
      <p className="lead">
        {details.ownerName} invited {details.name} ({details.email}) to work together.
      </p>
      <p>{roleWords[details.role].forColleague}</p>
      {session.status === 'signed-in' ? (
        <AcceptInvitation
          kind={kind}
          account={session.account}
          email={details.email}
          accept={() => callApi('POST /team/invitation/accept', { body: { token } })}
          onAccepted={() => {
            showToast(`You’ve joined the team of ${details.ownerName}`);
            return navigate(details.role === 'member' ? '/projects' : '/dashboard', { replace: true });
          }}
          unconfirmed={<UnconfirmedAddress email={session.account.email} />}
        />
      ) : (
        <SignedOut email={details.email} />
      )}
    </Frame>
  );
}

function SignedOut({ email }: { email: string }) {
  return (
    <>
      <p className="buttons">
        <Link className="button" to="/register" state={{ from: screenPath }}>
          Create an account
        </Link>
        <Link className="button button--quiet" to="/login" state={{ from: screenPath }}>
          Sign in
        </Link>
      </p>
      <p className="team-invitation__hint">Use the address {email}, which the invitation is for.</p>
    </>
  );
}

/** Only the person whose address was invited may join, so the address has to be confirmed first. */
function UnconfirmedAddress({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function resendLink(): Promise<void> {
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
        <button className="button button--quiet" type="button" onClick={() => void resendLink()}>
          Send new link
        </button>
      </p>
    </>
  );
}
