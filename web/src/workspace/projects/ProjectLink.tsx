import { Link } from 'react-router-dom';
import { useQuery } from '../query.js';
import { ProjectState } from './ProjectState.js';

interface ProjectLinkProps {
  /** What pays for the project: an order, or a monthly plan. */
  of: { order: string } | { subscription: string };
}

/** A link to the project of an order or of a monthly plan; nothing while there is none. */
export function ProjectLink({ of }: ProjectLinkProps) {
  const projects = useQuery('GET /projects', { query: { ...of, limit: 1 } });
  const [project] = projects.data ?? [];
  if (!project) return null;
  return (
    <p className="project-link">
      <span>
        Your project: <Link to={`/project/${project._id}`}>{project.title}</Link>
      </span>
      <ProjectState state={project.state} side="customer" />
    </p>
  );
}
