import '../admin-projects.css';
import { Link } from 'react-router-dom';
import type { ProjectTemplate } from '#libs/contracts';
import { type Column, DataTable } from '../../../workspace/DataTable.js';
import { Empty } from '../../../workspace/Empty.js';
import { formatNumber, counted } from '../../../workspace/formats.js';
import { useQuery } from '../../../workspace/query.js';

const columns: readonly Column<ProjectTemplate>[] = [
  {
    key: 'package',
    head: 'Package',
    alwaysShown: true,
    compact: 'title',
    cell: ({ packageName, onOffer }) => (
      <>
        {packageName} {!onOffer && <span className="badge">No longer available</span>}
      </>
    ),
  },
  {
    key: 'questions',
    head: 'Brief',
    compact: 'line',
    cell: ({ questions }) => (questions.length > 0 ? counted(questions.length, 'question') : 'No questions'),
  },
  {
    key: 'checklist',
    head: 'Checklist',
    compact: 'line',
    cell: ({ checklist }) => (checklist.length > 0 ? counted(checklist.length, 'step') : 'No steps'),
  },
  {
    key: 'days',
    head: 'Delivery time',
    compact: 'line',
    cell: ({ deliveryDays }) => (deliveryDays ? counted(deliveryDays, 'day') : 'No due date'),
  },
  {
    key: 'older',
    head: 'Projects with an earlier version',
    align: 'end',
    cell: ({ olderProjects }) => formatNumber(olderProjects),
  },
  {
    key: 'open',
    head: 'Template',
    align: 'end',
    alwaysShown: true,
    compact: 'open',
    cell: ({ _id, packageName, version }) => (
      <Link className="unbroken data-table__open" to={`/admin/project-template/${_id}`}>
        {version === 0 ? 'Set up' : 'Edit'}
        <span className="visually-hidden"> the template of {packageName}</span>
      </Link>
    ),
  },
];

export function Templates() {
  const templates = useQuery('GET /project-templates');
  return (
    <section className="panel" aria-label="Project templates">
      <DataTable
        caption="Project templates"
        captionHidden
        skeletonRows={3}
        rows={templates}
        rowKey={({ _id }) => _id}
        columns={columns}
        empty={
          <Empty
            title="No packages yet"
            action={
              <Link className="button" to="/add-pricing">
                Add a package
              </Link>
            }
          >
            Each package under Pricing has a template: the questions, steps and delivery time of its projects.
          </Empty>
        }
      />
    </section>
  );
}
