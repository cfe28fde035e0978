import { useState } from 'react';
import { type Team, type TeamInvitation, type TeamMember, type TeamRole, teamRole } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { Empty } from '../../workspace/Empty.js';
import { focusContent } from '../../workspace/focus-content.js';
import { type ChangeResult, useSave } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { offerUndo } from '../../workspace/undo.js';
import { When } from '../../workspace/When.js';
import { roleWords } from './roles.js';

export function Members({ team: { members, invitations } }: { team: Team }) {
  return (
    <section className="panel" aria-labelledby="members">
      <h2 id="members">Your team</h2>
      {members.length + invitations.length === 0 ? (
        <Empty title="Nobody but you, so far">
          Invite colleagues to answer questions, write messages and share files in your projects, or to see
          and pay your orders.
        </Empty>
      ) : (
        <ul className="rows" aria-label="Your team">
          {members.map((member) => (
            <li key={member._id}>
              <Member member={member} />
            </li>
          ))}
          {invitations.map((invitation) => (
            <li key={invitation._id}>
              <Invitation invitation={invitation} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Member({ member }: { member: TeamMember }) {
  const { _id: id, name, email, role, joinedAt } = member;
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <div className="rows__what">
        <p>
          <strong>{name}</strong>
        </p>
        <p className="quiet-text">
          {email} · joined <When at={joinedAt} />
        </p>
      </div>
      <RoleSelect member={member} />
      <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
        Remove<span className="visually-hidden"> {name}</span>
      </button>
      {removing && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          actionLabel="Remove"
          close={() => setRemoving(false)}
          confirm={async () => {
            const answer = await callApi('DELETE /team/members/:id', { params: { id } });
            // A member who is already gone counts as removed.
            if (!answer.ok && answer.problem.status !== 404) return answer.problem;
            return () => showToast(`${name} is no longer in your team`);
          }}
        >
          <p>
            {name} will no longer be able to {roleWords[role].lost}. {roleWords[role].whenRemoved(name)} You
            can invite them again.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** A change takes effect immediately and can be undone. A change to `billing` revokes the member’s report links, which an undo does not restore. */
function RoleSelect({ member: { _id: id, name, role } }: { member: TeamMember }) {
  const changeRole = async (to: TeamRole, whenShown?: () => void): Promise<ChangeResult> => {
    const answer = await callApi('PUT /team/members/:id', { params: { id }, body: { role: to } });
    if (answer.ok) return whenShown;
    // The member has left, or was removed, in the meantime.
    if (answer.problem.status === 404)
      return () => {
        showToast(`${name} is no longer in your team`);
        focusContent();
      };
    return answer.problem;
  };
  const { save, saving, problem } = useSave((to: TeamRole) =>
    changeRole(to, () => offerUndo(`${name} now has the role ${roleWords[to].name}`, () => changeRole(role))),
  );
  return (
    <>
      <select
        className="field__input team-member__role"
        aria-label={`Role of ${name}`}
        value={role}
        aria-disabled={saving}
        onChange={({ target }) => void save(target.value as TeamRole)}
      >
        {teamRole.options.map((one) => (
          <option key={one} value={one}>
            {roleWords[one].name}
          </option>
        ))}
      </select>
      <FormProblem problem={problem} />
    </>
  );
}

function Invitation({ invitation }: { invitation: TeamInvitation }) {
  const { _id: id, name, email, role, sentAt, expiresAt, expired } = invitation;
  const keyFor = useIdempotencyKeys();
  const resend = useSave(async () => {
    // Inviting the same address again replaces its invitation, and sends a new link.
    const body = { name, email, role };
    const answer = await callApi('POST /team/invitations', { body, idempotencyKey: keyFor(body) });
    if (!answer.ok) return answer.problem;
    keyFor.renew();
    return () => showToast(`Invitation sent to ${email}`);
  });
  const revoke = useSave(async () => {
    const answer = await callApi('DELETE /team/invitations/:id', { params: { id } });
    if (!answer.ok && answer.problem.status !== 404) return answer.problem;
    return () => {
      showToast('Invitation revoked');
      focusContent();
    };
  });
  return (
    <>
      <div className="rows__what">
        <p>
          <strong>{name}</strong>{' '}
          <Status tone={expired ? 'fault' : 'waiting'}>{expired ? 'Invitation expired' : 'Invited'}</Status>
        </p>
        <p className="quiet-text">
          {roleWords[role].name} · {email} · sent <When at={sentAt} /> · {expired ? 'expired' : 'valid until'}{' '}
          <When at={expiresAt} />
        </p>
      </div>
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={resend.saving}
        onClick={() => void resend.save()}
      >
        Send again<span className="visually-hidden"> to {name}</span>
      </button>
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={revoke.saving}
        onClick={() => void revoke.save()}
      >
        Revoke<span className="visually-hidden"> the invitation to {name}</span>
      </button>
      <FormProblem problem={resend.problem ?? revoke.problem} />
    </>
  );
}

/** The teams of other customers to which this person belongs. */
export function Memberships({ memberships }: Pick<Team, 'memberships'>) {
  if (memberships.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="memberships">
      <h2 id="memberships">Teams that you belong to</h2>
      <ul className="rows" aria-label="Teams that you belong to">
        {memberships.map((membership) => (
          <li key={membership._id}>
            <Membership membership={membership} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Membership({
  membership: { _id: id, ownerName, role },
}: {
  membership: Team['memberships'][number];
}) {
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <div className="rows__what">
        <p>
          <strong>{ownerName}</strong>
        </p>
        <p className="quiet-text">{roleWords[role].forColleague}</p>
      </div>
      <button className="button button--quiet" type="button" onClick={() => setLeaving(true)}>
        Leave<span className="visually-hidden"> the team of {ownerName}</span>
      </button>
      {leaving && (
        <ConfirmDialog
          title={`Leave the team of ${ownerName}?`}
          actionLabel="Leave team"
          close={() => setLeaving(false)}
          confirm={async () => {
            const answer = await callApi('DELETE /team/memberships/:id', { params: { id } });
            if (!answer.ok && answer.problem.status !== 404) return answer.problem;
            return () => showToast(`You’ve left the team of ${ownerName}`);
          }}
        >
          <p>
            You’ll no longer be able to {roleWords[role].lost}. {roleWords[role].whenLeaving(ownerName)}{' '}
            {ownerName} can invite you again.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
