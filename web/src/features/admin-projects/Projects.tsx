import './admin-projects.css';
import { Link } from 'react-router-dom';
import { DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { formatNumber, counted } from '../../workspace/formats.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { useQuery } from '../../workspace/query.js';
import { ProjectBoard } from './ProjectBoard.js';
import { projectColumns } from './project-columns.js';
import { type ProjectFilter, type Sorting, useProjectFilter } from './project-filter.js';
import { ProjectFilters } from './ProjectFilters.js';
import { useProjectView } from './project-view.js';

const { title, state, due, people, labels, lastActivity, open } = projectColumns;
const size = 25;
/** In 'My work'. */
const ownSize = 8;

/** Unless the projects are filtered, the person's own work comes first. */
export function Projects() {
  const [view, show] = useProjectView();
  const filter = useProjectFilter(view);
  return (
    <>
      {!filter.active && <MyWork />}
      <section className="panel" aria-labelledby="all-projects">
        <div className="panel__head">
          <h2 id="all-projects">{filter.active ? 'Projects' : 'All projects'}</h2>
          <div className="segments" role="group" aria-label="Show projects as">
            {(['list', 'board'] as const).map((choice) => (
              <button key={choice} type="button" aria-pressed={choice === view} onClick={() => show(choice)}>
                {choice === 'list' ? 'List' : 'Board'}
              </button>
            ))}
          </div>
        </div>
        {view === 'list' ? <List filter={filter} /> : <Board filter={filter} />}
      </section>
    </>
  );
}

function MyWork() {
  const list = usePaged(
    'GET /staff-projects',
    { assignee: 'me', open: true, sort: 'due' },
    { size: ownSize, param: 'own' },
  );
  const total = list.rows.total ?? 0;
  return (
    <section className="panel" aria-labelledby="my-work">
      <div className="panel__head">
        <h2 id="my-work">My work</h2>
        {total > ownSize && (
          <Link to="/admin/projects?person=me&state=open&sort=due">
            All {formatNumber(total)} of my open projects
          </Link>
        )}
      </div>
      <DataTable
        caption="My work, by due date"
        captionHidden
        skeletonRows={2}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={[title, state, due, labels, open]}
        empty={
          <Empty title="Nothing is assigned to you">
            Open a project and assign yourself. It’s then listed here, by due date.
          </Empty>
        }
      />
    </section>
  );
}

function List({ filter }: { filter: ProjectFilter }) {
  const summary = useQuery('GET /staff-projects/summary');
  const list = usePaged('GET /staff-projects', filter.query, { size, resizable: true });
  const { total } = list.rows;
  return (
    <>
      <ProjectFilters filter={filter} summary={summary.data} withState anyProject={list.rows.data?.[0]} />
      <p className="project-count" role="status">
        {total !== undefined && `${counted(total, 'project')}${filter.active ? ' found' : ''}`}
      </p>
      <DataTable
        caption="Projects"
        captionHidden
        skeletonRows={list.size}
        rememberAs="staff-projects"
        rows={list.rows}
        rowKey={({ _id }) => _id}
        // Each column sorts in one direction only: the latest activity (`active`) or the earliest due date comes first.
        sort={{
          by: filter.sort,
          descending: filter.sort === 'active',
          change: (by) => filter.sortBy(by as Sorting),
        }}
        columns={[title, state, due, people, labels, lastActivity, open]}
        empty={<NoProjects filter={filter} />}
      />
      {Boolean(total) && <Pager label="projects" list={list} />}
    </>
  );
}

function Board({ filter }: { filter: ProjectFilter }) {
  const summary = useQuery('GET /staff-projects/summary');
  const { search, assignee, label, overdue, customer } = filter.query;
  const board = useQuery('GET /staff-projects/board', {
    query: { search, assignee, label, overdue, customer },
  });
  const anyProject = board.data?.flatMap(({ projects }) => projects)[0];
  return (
    <>
      <ProjectFilters filter={filter} summary={summary.data} withState={false} anyProject={anyProject} />
      <ProjectBoard board={board} filter={filter} empty={<NoOpenProjects filter={filter} />} />
    </>
  );
}

/** The board has only open projects, so other projects may exist. */
function NoOpenProjects({ filter }: { filter: ProjectFilter }) {
  return filter.active ? (
    <NoMatches what="open projects" showAll={filter.clear} />
  ) : (
    <Empty title="No open projects">
      Each paid order or monthly plan opens a project. Accepted and closed projects are in the list.
    </Empty>
  );
}

function NoProjects({ filter }: { filter: ProjectFilter }) {
  return filter.active ? (
    <NoMatches what="projects" showAll={filter.clear} />
  ) : (
    <Empty
      title="No projects yet"
      action={
        <Link className="button" to="/admin/project-templates">
          Set up the questions
        </Link>
      }
    >
      Each paid order or monthly plan opens a project. You can already set up what customers are asked after
      paying.
    </Empty>
  );
}
