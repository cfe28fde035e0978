import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ProjectState as State, StaffProject } from '#libs/contracts';
import { Waiting } from '../../components/Waiting.js';
import type { AnswerOf } from '../../lib/api.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { Failure } from '../../workspace/Failure.js';
import { formatNumber } from '../../workspace/formats.js';
import { withQuery } from '../../workspace/path.js';
import { ProjectState } from '../../workspace/projects/ProjectState.js';
import type { Query } from '../../workspace/query.js';
import { DueDate } from './DueDate.js';
import { Labels } from './Labels.js';
import { MoveMenu } from './MoveMenu.js';
import type { ProjectFilter } from './project-filter.js';
import { UnreadCount } from './UnreadCount.js';
import { assigneesText, projectNumber } from './words.js';

interface ProjectBoardProps {
  board: Query<AnswerOf<'GET /staff-projects/board'>>;
  filter: ProjectFilter;
  empty: ReactNode;
}

export function ProjectBoard({ board, filter, empty }: ProjectBoardProps) {
  const { data, problem, loading } = board;
  if (problem) return <Failure query={board} />;
  if (!data) return <Waiting />;
  if (data.every(({ total }) => total === 0)) return empty;
  return (
    <div className="board" aria-busy={loading}>
      {data.map((column) => (
        <section className="board__column" key={column.state} aria-labelledby={`board-${column.state}`}>
          <h3 className="board__head" id={`board-${column.state}`}>
            <ProjectState state={column.state} side="staff" />{' '}
            <span className="board__count">
              {formatNumber(column.total)}
              <span className="visually-hidden">{column.total === 1 ? ' project' : ' projects'}</span>
            </span>
          </h3>
          {column.total === 0 && <p className="board__none">None</p>}
          <ul className="board__cards">
            {column.projects.map((project) => (
              <li key={project._id}>
                <Card project={project} />
              </li>
            ))}
          </ul>
          {column.total > column.projects.length && (
            <Link className="board__more" to={listPath(column.state, filter)}>
              All {formatNumber(column.total)} in the list
            </Link>
          )}
        </section>
      ))}
    </div>
  );
}

function listPath(state: State, { values }: ProjectFilter): string {
  return withQuery('/admin/projects', { ...values, state, view: 'list', sort: 'due' });
}

function Card({ project }: { project: StaffProject }) {
  return (
    <article className="project-card" aria-label={`${project.title} ${projectNumber(project)}`}>
      <p className="project-card__title">
        <Link className="project-card__open" to={`/admin/project/${project._id}`}>
          {project.title}
        </Link>{' '}
        <span className="project-number">{projectNumber(project)}</span>{' '}
        <UnreadCount unread={project.unread} />
      </p>
      <p className="project-card__line">
        {project.customerName}
        <DemoLabel email={project.customerEmail} />
      </p>
      <p className="project-card__line">
        <DueDate project={project} />
      </p>
      <Labels labels={project.labels} />
      <div className="project-card__end">
        <span className="project-card__people">
          <span className="visually-hidden">Assigned: </span>
          {assigneesText(project)}
        </span>
        <MoveMenu project={project} />
      </div>
    </article>
  );
}
