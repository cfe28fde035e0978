import { Link } from 'react-router-dom';
import type { Deliverable, Project } from '#libs/contracts';
import { Callout } from '../../workspace/Callout.js';
import { Failure } from '../../workspace/Failure.js';
import { counted } from '../../workspace/formats.js';
import { briefStep } from '../../workspace/projects/words.js';
import type { Query } from '../../workspace/query.js';
import { Review } from './Review.js';

interface NextStepProps {
  project: Project;
  /** Newest first. */
  deliverables: Query<Deliverable[]>;
}

export function NextStep({ project, deliverables }: NextStepProps) {
  const { _id, state, step, brief, reason } = project;
  if (step === 'answer_brief' && brief) {
    const { questions, answered } = brief;
    return (
      <Callout
        title={briefStep(questions - answered)}
        actions={
          <Link className="button" to={`/project/${_id}/brief`}>
            {answered > 0 ? 'Continue' : 'Answer questions'}
          </Link>
        }
      >
        <p>
          {answered > 0
            ? `${answered} of ${counted(questions, 'question')} answered. `
            : 'It takes a few minutes. '}
          Your answers are saved automatically, so you can stop at any time.
        </p>
      </Callout>
    );
  }
  if (step === 'review') {
    const newest = deliverables.data?.[0];
    const isCurrent = !deliverables.reading && !deliverables.problem;
    if (newest?.state === 'delivered')
      return (
        <>
          <Failure what="Error fetching deliveries" query={deliverables} />
          <Review project={project} deliverable={newest} isCurrent={isCurrent} />
        </>
      );
    // Renders nothing unless the query has failed.
    return <Failure what="Error fetching deliveries" query={deliverables} />;
  }
  if (state === 'on_hold')
    return (
      <Callout title="This project is on hold">
        <p>{reason ?? 'We’ve paused the work and will continue as soon as we can.'}</p>
        <p>You can still write messages{brief && !brief.completedAt && ' and answer the questions'} here.</p>
      </Callout>
    );
  if (state === 'closed')
    return (
      <Callout title="This project is closed">
        <p>{reason ?? 'There’s nothing left to do.'}</p>
        <p>Its messages and files stay available to you.</p>
      </Callout>
    );
  return null;
}
