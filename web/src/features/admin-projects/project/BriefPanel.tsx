import type { StaffProject } from '#libs/contracts';
import { BriefAnswers } from '../../../workspace/projects/BriefAnswers.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';

/** The customer's answers, even while they are a draft. */
export function BriefPanel({ project }: { project: StaffProject }) {
  const { brief: progress } = project;
  const brief = useQuery('GET /staff-project/:id/brief', progress ? { params: { id: project._id } } : null);
  if (!progress) return null;
  const isDraft = progress.completedAt === null;
  return (
    <section className="panel project-panel" aria-labelledby="project-brief">
      <div className="panel__head">
        <h2 id="project-brief">Brief</h2>
        <span className="field__hint">
          {isDraft ? `${progress.answered} of ${progress.questions} answered` : 'Complete'}
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
                  Completed <When at={data.completedAt ?? progress.completedAt ?? ''} time />
                  {data.completedBy && ` by ${data.completedBy}`}.
                </>
              )}
            </p>
            {(!isDraft || progress.answered > 0) && <BriefAnswers brief={data} />}
          </>
        )}
      </Loaded>
    </section>
  );
}
