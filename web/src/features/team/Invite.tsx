import '../../workspace/choices.css';
import { useState } from 'react';
import { type Team, teamLimits, type TeamRole, teamRole } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { looksLikeEmailAddress, useForm, useIdempotencyKeys } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { useAccount } from '../../workspace/current-screen.js';
import { useRefetch } from '../../workspace/query.js';
import { roleWords } from './roles.js';

export function Invite({ team }: { team: Team }) {
  const { emailVerified } = useAccount();
  const [sentCount, setSentCount] = useState(0);
  const isFull = team.members.length + team.invitations.length >= teamLimits.members;
  return (
    <section className="panel" aria-labelledby="invite">
      <h2 id="invite">Invite a colleague</h2>
      {!emailVerified ? (
        <p>Confirm your e-mail address first, so that your colleagues know that it’s you.</p>
      ) : isFull ? (
        <p>
          Your team has {teamLimits.members} members and invitations, which is the maximum. Remove one before
          you invite somebody else.
        </p>
      ) : (
        // A fresh form after each invitation.
        <InviteForm key={sentCount} onInvited={() => setSentCount(sentCount + 1)} />
      )}
    </section>
  );
}

function InviteForm({ onInvited }: { onInvited(): void }) {
  const refetch = useRefetch();
  const [role, setRole] = useState<TeamRole>('member');
  const keyFor = useIdempotencyKeys();
  const { form, field, problem, sending } = useForm({
    checks: {
      name: (value) => (value.trim() ? undefined : 'Enter your colleague’s name.'),
      email: (value) =>
        looksLikeEmailAddress(value) ? undefined : 'Enter an e-mail address like ada@example.com.',
    },
    send: ({ name, email }) => {
      const body = { name: name.trim(), email: email.trim(), role };
      return callApi('POST /team/invitations', { body, idempotencyKey: keyFor(body) });
    },
    async onSent({ email }) {
      await refetch();
      showToast(`Invitation sent to ${email}`);
      onInvited();
    },
  });
  return (
    <form className="form team-form" method="post" {...form}>
      <div className="form__pair">
        <Field {...field('name')} label="Name" autoComplete="off" maxLength={100} />
        <Field {...field('email')} label="E-mail" type="email" inputMode="email" autoComplete="off" />
      </div>
      <RoleChoice role={role} choose={setRole} />
      <FormProblem problem={problem && rewordProblem(problem)} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Send invitation'}
        </button>
      </p>
    </form>
  );
}

function rewordProblem(problem: Problem): Problem {
  if (problem.code === 'DUPLICATE')
    return { ...problem, fields: [], sentence: 'This person is already in your team.' };
  if (problem.code === 'RATE_LIMITED')
    return {
      ...problem,
      sentence: 'Too many invitations have been sent, by you or to this address. Try again tomorrow.',
    };
  return problem;
}

function RoleChoice({ role, choose }: { role: TeamRole; choose(role: TeamRole): void }) {
  return (
    <fieldset className="choices">
      <legend>Role</legend>
      {teamRole.options.map((one) => (
        <div className="choices__option" key={one}>
          <input
            type="radio"
            name="role"
            id={`role-${one}`}
            checked={role === one}
            onChange={() => choose(one)}
          />
          <label htmlFor={`role-${one}`}>{roleWords[one].name}</label>
          <p>{roleWords[one].forOwner}</p>
        </div>
      ))}
    </fieldset>
  );
}
