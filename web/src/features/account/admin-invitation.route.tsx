import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { AcceptInvitation, Invitation } from '../../components/Invitation.js';
import { NewPasswordField } from '../../components/PasswordField.js';
import { Waiting } from '../../components/Waiting.js';
import { type AnswerOf, callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { startSession, useSession } from '../../lib/session.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { MailedLinkScreen } from './MailedLinkScreen.js';
import { checkNewPassword } from './checks.js';
import { forgetInvitationToken } from '../../lib/invitation-token.js';

type InvitationDetails = AnswerOf<'POST /auth/admin-invitation/read'>;

const path = '/admin-invitation';
const kind = 'admin-invitation';

export function Component() {
  return (
    <Invitation
      kind={kind}
      title="Admin invitation"
      inviter="admin"
      Screen={MailedLinkScreen}
      read={readInvitation}
    >
      {(invitation) => <Invited {...invitation} />}
    </Invitation>
  );
}

const readInvitation = (token: string) => callApi('POST /auth/admin-invitation/read', { body: { token } });

interface InvitedProps {
  token: string;
  details: InvitationDetails;
}

function Invited({ token, details }: InvitedProps) {
  const session = useSession();
  const navigate = useNavigate();
  // The session changes at once, but this screen is shown until /admin is loaded.
  const [leaving, setLeaving] = useState(false);
  const onJoined = () => setLeaving(true);
  if (session.status === 'unknown' || leaving) return <Waiting />;
  return (
    <MailedLinkScreen title="You’re invited to become an admin">
      <p className="lead">
        {details.invitedBy} invited {details.email} to manage this site, its orders and customers.
      </p>
      {session.status === 'signed-in' ? (
        <AcceptInvitation
          kind={kind}
          account={session.account}
          email={details.email}
          accept={() => callApi('POST /auth/admin-invitation/accept', { body: { token } })}
          onAccepted={async () => {
            // Before the session says that the person is an admin, /admin would refuse them.
            const answer = await startSession(callApi('GET /auth/me'));
            if (!answer.ok) announceSessionChange();
            setLeaving(true);
            await navigate('/admin', { replace: true });
          }}
          unconfirmed={<Join token={token} details={details} onJoined={onJoined} replacesSignIn />}
        />
      ) : details.hasAccount ? (
        <p>
          <Link className="button" to="/login" state={{ from: path }}>
            Sign in to accept
          </Link>
        </p>
      ) : (
        <Join token={token} details={details} onJoined={onJoined} />
      )}
    </MailedLinkScreen>
  );
}

/**
 * Creates an account with the invited address, which the mailed link confirms. If an account has the address but has not confirmed it, `hasAccount`
 * is false, and that account is reclaimed instead. `replacesSignIn`: the person is signed in to that account, and is told that joining replaces its
 * password and removes its other ways to sign in.
 */
function Join({
  token,
  details: { email },
  onJoined,
  replacesSignIn = false,
}: InvitedProps & { onJoined(): void; replacesSignIn?: boolean }) {
  const navigate = useNavigate();
  // The token works once: if joining succeeds but the sign-in fails, the next attempt only signs in.
  const hasJoined = useRef(false);
  const { form, field, problem, sending } = useForm({
    checks: { password: checkNewPassword },
    async send({ password }) {
      if (!hasJoined.current) {
        const joined = await callApi('POST /auth/admin-invitation/join', { body: { token, password } });
        if (!joined.ok) return joined;
        hasJoined.current = true;
        forgetInvitationToken(kind);
      }
      const signedIn = await callApi('POST /auth/login', { body: { email, password } });
      if (signedIn.ok) onJoined();
      return startSession(Promise.resolve(signedIn));
    },
    onSent: () => navigate('/admin', { replace: true }),
  });
  return (
    <form
      className="form account-form"
      method="post"
      aria-label={replacesSignIn ? 'Set a new password' : 'Create your account'}
      {...form}
    >
      {replacesSignIn ? (
        <p>
          You haven’t confirmed {email} yet. Joining confirms it, replaces your password and removes your
          other ways to sign in, in case somebody else set them up.
        </p>
      ) : (
        <p>Choose a password for your account with the address {email}.</p>
      )}
      {/* For password managers. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField
        {...field('password')}
        label={replacesSignIn ? 'New password' : 'Password'}
        required
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : replacesSignIn ? 'Set password and join' : 'Create account and join'}
        </button>
      </p>
    </form>
  );
}
