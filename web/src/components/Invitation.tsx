import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import type { Answer, Problem } from '../lib/api.js';
import {
  forgetInvitationToken,
  type InvitationKind,
  keepInvitationToken,
  readInvitationToken,
} from '../lib/invitation-token.js';
import { useLinkToken } from '../lib/link-token.js';
import { FormProblem } from './FormProblem.js';
import { Waiting } from './Waiting.js';

interface InvitationProps<Details> {
  kind: InvitationKind;
  /** The screen's title if the invitation could not be read, but may still work. */
  title: string;
  /** What the sender is called in 'Ask the … who invited you', such as 'admin'. */
  inviter: string;
  Screen: ComponentType<{ title: string; children: ReactNode }>;
  /** Must be the same function on each render: a new one reads the invitation again. */
  read(token: string): Promise<Answer<Details>>;
  children(invitation: { token: string; details: Details }): ReactNode;
}

/** Reads the invitation of the link that led here, or of the one that was opened in this tab before signing in. */
export function Invitation<Details>(props: InvitationProps<Details>) {
  const linkToken = useLinkToken();
  if (linkToken === undefined) return <Waiting />;
  const token = linkToken ?? readInvitationToken(props.kind);
  return token === null ? (
    <NoInvitation {...props} />
  ) : (
    <InvitationReader key={token} token={token} {...props} />
  );
}

function InvitationReader<Details>({ token, ...props }: InvitationProps<Details> & { token: string }) {
  const { kind, title, Screen, read, children } = props;
  const [details, setDetails] = useState<Details>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    // A sign-in leads back to this screen without the token.
    keepInvitationToken(kind, token);
    void read(token).then((answer) => {
      if (answer.ok) return setDetails(answer.value);
      if (answer.problem.code === 'LINK_EXPIRED') forgetInvitationToken(kind);
      setProblem(answer.problem);
    });
  }, [kind, read, token]);
  if (problem?.code === 'LINK_EXPIRED' || problem?.status === 400) return <NoInvitation {...props} />;
  if (problem)
    return (
      <Screen title={title}>
        <FormProblem problem={problem} />
      </Screen>
    );
  return details ? children({ token, details }) : <Waiting />;
}

function NoInvitation({ inviter, Screen }: Pick<InvitationProps<unknown>, 'inviter' | 'Screen'>) {
  return (
    <Screen title="This invitation no longer works">
      <p className="lead">
        The link is incomplete, or the invitation has expired, been used or been revoked. Ask the {inviter}{' '}
        who invited you to send a new one.
      </p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </Screen>
  );
}

interface AcceptInvitationProps {
  kind: InvitationKind;
  account: Account;
  /** The address to which the invitation was sent. */
  email: string;
  accept(): Promise<Answer<unknown>>;
  onAccepted(): void | Promise<void>;
  /** Shown in place of the button if the account’s address is not confirmed. */
  unconfirmed: ReactNode;
}

/** Shows the button only if the invitation is for the confirmed address of the account, and otherwise what to do first. */
export function AcceptInvitation({
  kind,
  account,
  email,
  accept,
  onAccepted,
  unconfirmed,
}: AcceptInvitationProps) {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  if (account.email.toLowerCase() !== email.toLowerCase())
    return (
      <p role="status">
        You’re signed in as {account.email}. Sign out, then open the link again to continue as {email}.
      </p>
    );
  if (!account.emailVerified) return unconfirmed;
  async function send(): Promise<void> {
    if (sending) return;
    setSending(true);
    const answer = await accept();
    if (answer.ok) {
      forgetInvitationToken(kind);
      await onAccepted();
    } else setProblem(answer.problem);
    setSending(false);
  }
  return (
    <>
      <FormProblem problem={problem} />
      <p>
        <button className="button" type="button" aria-disabled={sending} onClick={() => void send()}>
          {sending ? 'One moment' : 'Accept invitation'}
        </button>
      </p>
    </>
  );
}
