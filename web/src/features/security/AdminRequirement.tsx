import { useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { notify } from '../../lib/notices.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';

/** For admins who have a second factor themselves: nobody can shut themselves out by it. */
export function AdminRequirement() {
  const requirement = useQuery('GET /auth/admin-requirement');
  const [problem, setProblem] = useState<Problem>();
  async function set(required: boolean): Promise<void> {
    const answer = await callApi('PUT /auth/admin-requirement', { body: { required } });
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    requirement.put(answer.value);
    notify(required ? 'All admins now need a second factor' : 'Admins no longer need a second factor');
  }
  return (
    <section className="panel" aria-labelledby="requirement-title">
      <h2 id="requirement-title">Other admins</h2>
      <Loaded query={requirement}>
        {({ required }) => (
          <>
            <p>
              {required
                ? 'Admins must set up a second factor before they can use the admin panel.'
                : 'Admins can sign in with only a password.'}
            </p>
            <FormProblem problem={problem} />
            <p>
              <button className="button button--quiet" type="button" onClick={() => void set(!required)}>
                {required ? 'Make second factor optional' : 'Require a second factor'}
              </button>
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}
