import './team.css';
import { type FormEvent, useState } from 'react';
import type { Team } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useSave } from '../../workspace/query.js';
import { Invite } from './Invite.js';
import { Members, Memberships } from './Members.js';

export function Component() {
  const team = useQuery('GET /team');
  return (
    <CustomerScreen title="Team" lead="Colleagues who work on your projects with you, or pay your orders.">
      <Loaded query={team}>
        {(data) => (
          <>
            <Members team={data} />
            <Invite team={data} />
            <OwnNameForm name={data.name} />
            <Memberships memberships={data.memberships} />
          </>
        )}
      </Loaded>
    </CustomerScreen>
  );
}

function OwnNameForm({ name }: Pick<Team, 'name'>) {
  const [typed, setTyped] = useState(name);
  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('PUT /team/name', { body: { name: typed.trim() } });
    if (answer.ok) return () => showToast('Name saved');
    const [fault] = answer.problem.fields;
    return fault ? { ...answer.problem, sentence: `Your name ${fault.message}.` } : answer.problem;
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }
  return (
    <section className="panel" aria-labelledby="own-name">
      <h2 id="own-name">Your name</h2>
      <form className="form team-form team-form--short" method="post" onSubmit={submit}>
        <Field
          name="ownName"
          label="Your name in messages"
          hint="Your colleagues and our team see it beside what you write."
          autoComplete="name"
          maxLength={100}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <FormProblem problem={problem} />
        <p className="buttons">
          <button className="button button--quiet" type="submit" aria-disabled={saving}>
            {saving ? 'One moment' : 'Save name'}
          </button>
        </p>
      </form>
    </section>
  );
}
