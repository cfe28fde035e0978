import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useQuery } from '../query.js';
import { ProjectState } from './ProjectState.js';

interface ProjectLinkProps {
  /** What pays for the project: an order, or a monthly plan. */
  paidBy: { order: string } | { subscription: string };
  /** The order or plan has just been paid, so its project will exist in a moment. */
  isAwaited?: boolean;
}

const awaitedMs = 30_000;

/** Links to the project, and to its questions if the work waits for the answers. Renders nothing while there is no project. */
export function ProjectLink({ paidBy, isAwaited = false }: ProjectLinkProps) {
  const [until] = useState(() => Date.now() + awaitedMs);
  const projects = useQuery(
    'GET /projects',
    { query: { ...paidBy, limit: 1 } },
    { everyMs: 1_000, while: (found) => isAwaited && found.length === 0 && Date.now() < until },
  );
  const [project] = projects.data ?? [];
  if (!project) return null;
  const { _id: id, title, state, step } = project;
  return (
    <div className="project-link">
      <p>
        Your project: <Link to={`/project/${id}`}>{title}</Link>
      </p>
      <ProjectState state={state} side="customer" />
      {step === 'answer_brief' && (
        <Link className="button" to={`/project/${id}/brief`}>
          Answer questions
        </Link>
      )}
    </div>
  );
}
