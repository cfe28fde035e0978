import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useSave } from '../../workspace/query.js';

/** Shown only to admins who have a second factor, because only they can require it. */
export function AdminRequirement() {
  const requirement = useQuery('GET /auth/admin-requirement');
  const { save, problem } = useSave(async (required: boolean) => {
    const answer = await callApi('PUT /auth/admin-requirement', { body: { required } });
    if (!answer.ok) return answer.problem;
    return () =>
      showToast(required ? 'All admins now need a second factor' : 'Admins no longer need a second factor');
  });
  return (
    <section className="panel" aria-labelledby="requirement-title">
      <h2 id="requirement-title">Other admins</h2>
      <Loaded query={requirement}>
        {({ required }) => (
          <>
            <p>
              {required
                ? 'Admins must set up a second factor before they can use the admin panel.'
                : 'Admins can use the admin panel without a second factor.'}
            </p>
            <FormProblem problem={problem} />
            <p>
              <button className="button button--quiet" type="button" onClick={() => void save(!required)}>
                {required ? 'Make second factor optional' : 'Require a second factor'}
              </button>
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}
