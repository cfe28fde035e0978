import './admin-projects.css';
import { DataTable } from '../../workspace/DataTable.js';
import { Pager } from '../../workspace/Pager.js';
import { type FilterOf, isListShown, usePaged } from '../../workspace/paging.js';
import { projectColumns } from './project-columns.js';

const size = 5;

const { title, state, due, people, lastActivity, open } = projectColumns;

/** Renders nothing while the list loads for the first time, or if it is empty. */
export function RelatedProjects({
  of,
}: {
  of: Pick<FilterOf<'GET /staff-projects'>, 'customer' | 'order' | 'subscription'>;
}) {
  const list = usePaged('GET /staff-projects', { ...of, sort: 'active' }, { size, param: 'projects' });
  const { total } = list.rows;
  if (!isListShown(list.rows)) return null;
  const heading = of.customer || (total ?? 0) > 1 ? 'Projects' : 'Project';
  return (
    <section className="panel" aria-labelledby="related-projects">
      <h2 id="related-projects">{heading}</h2>
      <DataTable
        caption={heading}
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching projects"
        columns={[title, state, due, people, lastActivity, open]}
        empty={null}
      />
      {(total ?? 0) > size && <Pager label="projects" list={list} />}
    </section>
  );
}
