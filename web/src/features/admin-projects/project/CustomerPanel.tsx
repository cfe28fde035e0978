import { Link } from 'react-router-dom';
import type { StaffProject } from '#libs/contracts';
import { DemoLabel } from '../../../workspace/DemoLabel.js';
import { Details } from '../../../workspace/Details.js';
import { ProjectState } from '../../../workspace/projects/ProjectState.js';
import { useQuery } from '../../../workspace/query.js';
import { projectNumber } from '../words.js';

const maxOthers = 5;

export function CustomerPanel({ project }: { project: StaffProject }) {
  const { accountId, customerName, customerEmail, packageName, orders, subscriptionId } = project;
  // One more than is shown, because the list may contain this project.
  const projects = useQuery('GET /staff-projects', { query: { customer: accountId, limit: maxOthers + 1 } });
  const others = (projects.data ?? []).filter(({ _id }) => _id !== project._id).slice(0, maxOthers);
  const more = (projects.total ?? 0) - 1 - others.length;
  return (
    <section className="panel project-panel" aria-labelledby="project-customer">
      <h2 id="project-customer">Customer and orders</h2>
      <Details
        items={[
          [
            'Customer',
            <>
              <Link to={`/customer/${accountId}`}>{customerName}</Link>
              <DemoLabel email={customerEmail} />
            </>,
          ],
          ['E-mail', customerEmail && <a href={`mailto:${customerEmail}`}>{customerEmail}</a>],
          ['Package', packageName],
          [
            orders.length === 1 ? 'Order' : 'Orders',
            <span className="project-orders">
              {orders.map(({ _id, number }) => (
                <Link key={_id} to={`/admin/payment-status/${_id}`}>
                  #{number}
                </Link>
              ))}
            </span>,
          ],
          [
            'Monthly plan',
            subscriptionId ? <Link to={`/admin/monthly-plan/${subscriptionId}`}>View plan</Link> : undefined,
          ],
        ]}
      />
      {others.length > 0 && (
        <>
          <h3>Other projects</h3>
          <ul className="other-projects">
            {others.map((other) => (
              <li key={other._id}>
                <Link to={`/admin/project/${other._id}`}>
                  {other.title} {projectNumber(other)}
                </Link>{' '}
                <ProjectState state={other.state} side="staff" />
              </li>
            ))}
          </ul>
          {more > 0 && <Link to={`/admin/projects?view=list&customer=${accountId}`}>{more} more</Link>}
        </>
      )}
    </section>
  );
}
