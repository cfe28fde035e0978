import { Link } from 'react-router-dom';
import type { StaffProject } from '#libs/contracts';
import type { Column } from '../../workspace/DataTable.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { ProjectState } from '../../workspace/projects/ProjectState.js';
import { When } from '../../workspace/When.js';
import { DueDate } from './DueDate.js';
import { Labels } from './Labels.js';
import { UnreadCount } from './UnreadCount.js';
import { assigneesText, projectNumber } from './words.js';

export const projectColumns = {
  title: {
    key: 'title',
    head: 'Project and customer',
    alwaysShown: true,
    compact: 'title',
    cell: (project) => (
      <span className="project-title">
        <span>{project.title}</span> <span className="project-number">{projectNumber(project)}</span>{' '}
        <UnreadCount unread={project.unread} />
        <span className="project-title__customer">
          {project.customerName}
          <DemoLabel email={project.customerEmail} />
        </span>
      </span>
    ),
  },
  state: {
    key: 'state',
    head: 'State',
    compact: 'line',
    cell: ({ state }) => <ProjectState state={state} side="staff" />,
  },
  due: {
    key: 'due',
    head: 'Due',
    compact: 'line',
    sortable: true,
    cell: (project) => <DueDate project={project} />,
  },
  people: {
    key: 'people',
    head: 'People',
    cell: (project) =>
      project.assignees.length > 0 ? (
        <span className="whole-words">{assigneesText(project)}</span>
      ) : (
        <span className="project-none unbroken">{assigneesText(project)}</span>
      ),
  },
  labels: { key: 'labels', head: 'Labels', cell: ({ labels }) => <Labels labels={labels} /> },
  lastActivity: {
    key: 'active',
    head: 'Last activity',
    sortable: true,
    cell: ({ activeAt }) => (
      <span className="unbroken">
        <When at={activeAt} />
      </span>
    ),
  },
  open: {
    key: 'open',
    head: 'Open',
    align: 'end',
    alwaysShown: true,
    compact: 'open',
    cell: (project) => (
      <Link className="unbroken data-table__open" to={`/admin/project/${project._id}`}>
        Open
        <span className="visually-hidden">
          {' '}
          {project.title} {projectNumber(project)}, {project.customerName}
        </span>
      </Link>
    ),
  },
} satisfies Record<string, Column<StaffProject>>;
