import type { StaffProject } from '#libs/contracts';
import { BriefAnswers } from '../../../workspace/projects/BriefAnswers.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';

/** The customer's answers, also while they are a draft. */
export function BriefPanel({ project }: { project: StaffProject }) {
  const { brief: facts } = project;
  const brief = useQuery('GET /staff-project/:id/brief', facts ? { params: { id: project._id } } : null);
  if (!facts) return null;
  const isDraft = facts.completedAt === null;
  return (
    <section className="panel project-panel" aria-labelledby="project-brief">
      <div className="panel__head">
        <h2 id="project-brief">Brief</h2>
        <span className="field__hint">
          {isDraft ? `${facts.answered} of ${facts.questions} answered` : 'Complete'}
        </span>
      </div>
      <Loaded query={brief}>
        {(data) => (
          <>
            <p className="field__hint">
              {isDraft ? (
                data.savedAt ? (
                  <>
                    A draft. Last saved <When at={data.savedAt} time />
                    {data.savedBy && ` by ${data.savedBy}`}.
                  </>
                ) : (
                  'The customer hasn’t answered yet.'
                )
              ) : (
                <>
                  Completed <When at={data.completedAt ?? facts.completedAt ?? ''} time />
                  {data.completedBy && ` by ${data.completedBy}`}.
                </>
              )}
            </p>
            {(!isDraft || facts.answered > 0) && <BriefAnswers brief={data} />}
          </>
        )}
      </Loaded>
    </section>
  );
}
