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
    notify(required ? 'Every admin needs a second factor now' : 'Admins may go without a second factor');
  }
  return (
    <section className="panel" aria-labelledby="requirement-title">
      <h2 id="requirement-title">Other admins</h2>
      <Loaded query={requirement}>
        {({ required }) => (
          <>
            <p>
              {required
                ? 'Every admin needs a second factor before doing anything in the admin area.'
                : 'Admins may sign in with a password alone.'}
            </p>
            <FormProblem problem={problem} />
            <p>
              <button className="button button--quiet" type="button" onClick={() => void set(!required)}>
                {required ? 'Let admins go without' : 'Demand a second factor of every admin'}
              </button>
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}
