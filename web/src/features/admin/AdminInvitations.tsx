import { useState } from 'react';
import type { AdminInvitation } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { looksLikeEmailAddress, useForm, useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useRefetch, useSave } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';

export function AdminInvitations() {
  const query = useQuery('GET /admin-invitations');
  const [inviting, setInviting] = useState(false);
  return (
    <section className="panel" aria-labelledby="invite-heading">
      <h2 id="invite-heading">Invite an admin</h2>
      {inviting ? (
        <InviteForm />
      ) : (
        <div className="buttons">
          <button className="button button--quiet" type="button" onClick={() => setInviting(true)}>
            Invite by e-mail
          </button>
        </div>
      )}
      <Loaded query={query}>
        {(invitations) =>
          invitations.length > 0 && (
            <ul className="records" aria-label="Invitations">
              {invitations.map((invitation) => (
                <Invitation key={invitation._id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function InviteForm() {
  const refetch = useRefetch();
  const { form, field, problem, sending } = useForm({
    checks: { email: (value) => (looksLikeEmailAddress(value) ? undefined : 'Provide a Valid Email') },
    send: ({ email }, { idempotencyKey }) =>
      callApi('POST /admin-invitations', { body: { email: email.trim() }, idempotencyKey }),
    async onSent({ email }) {
      form.ref.current?.reset();
      await refetch();
      showToast(`Invitation sent to ${email}`);
    },
  });
  return (
    <form className="form" method="post" aria-label="Invite an admin" {...form}>
      <Field
        {...field('email')}
        label="E-mail address"
        type="email"
        autoComplete="off"
        autoFocus
        hint="We’ll send a one-time link that expires in 7 days."
        required
      />
      <FormProblem problem={problem} />
      <div className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'Sending' : 'Send invitation'}
        </button>
      </div>
    </form>
  );
}

function Invitation({ invitation }: { invitation: AdminInvitation }) {
  const { _id: id, email, invitedBy, sentAt, expiresAt, expired } = invitation;
  const [revoking, setRevoking] = useState(false);
  const keyFor = useIdempotencyKeys();
  const {
    save: resend,
    saving: resending,
    problem,
  } = useSave(async () => {
    const body = { email };
    const answer = await callApi('POST /admin-invitations', { body, idempotencyKey: keyFor(body) });
    if (!answer.ok) return answer.problem;
    keyFor.renew();
    return () => showToast(`Invitation sent to ${email}`);
  });
  return (
    <li className="record">
      <div className="record__text">
        <h3>{email}</h3>
        <p className="record__note">
          Invited by {invitedBy} on <When at={sentAt} />. {expired ? 'Expired' : 'Expires'} on{' '}
          <When at={expiresAt} />.
        </p>
        <FormProblem problem={problem} />
      </div>
      <Status tone={expired ? 'quiet' : 'waiting'}>{expired ? 'Expired' : 'Pending'}</Status>
      <div className="buttons">
        <button
          className="button button--plain"
          type="button"
          aria-disabled={resending}
          onClick={() => void resend()}
        >
          Resend<span className="visually-hidden"> to {email}</span>
        </button>
        <button className="button button--plain" type="button" onClick={() => setRevoking(true)}>
          Revoke<span className="visually-hidden"> the invitation to {email}</span>
        </button>
      </div>
      {revoking && (
        <ConfirmDialog
          title="Revoke this invitation?"
          actionLabel="Revoke invitation"
          close={() => setRevoking(false)}
          confirm={async () => {
            const answer = await callApi('DELETE /admin-invitations/:id', { params: { id } });
            if (!answer.ok && answer.problem.status !== 404) return answer.problem;
            return () => showToast('Invitation revoked');
          }}
        >
          <p>The link we sent to {email} will stop working.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
