import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { Deliverable, Project } from '#libs/contracts';
import type { AnswerOf } from '../../lib/api.js';
import { Details } from '../../workspace/Details.js';
import { counted, formatDay } from '../../workspace/formats.js';
import { Loaded } from '../../workspace/Loaded.js';
import { DeliverableCard } from '../../workspace/projects/DeliverableCard.js';
import { ProjectState } from '../../workspace/projects/ProjectState.js';
import { type Query, useQuery } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';
import { When } from '../../workspace/When.js';

interface ProjectDetailsProps {
  project: Project;
  deliverables: Query<Deliverable[]>;
}

export function ProjectDetails({ project, deliverables }: ProjectDetailsProps) {
  const { _id, state, dueOn, orders, subscriptionId, role } = project;
  return (
    <>
      <section className="panel" aria-labelledby="project-details">
        <h2 id="project-details">Details</h2>
        <Details
          items={[
            ['Status', <ProjectState key="state" state={state} side="customer" />],
            ['Due', dueOn ? formatDay(dueOn) : undefined],
            ['Questions', <BriefLink key="brief" project={project} />],
            [orders.length === 1 ? 'Order' : 'Orders', role === 'owner' && <Orders orders={orders} />],
            [
              'Monthly plan',
              subscriptionId && role === 'owner' && (
                <Link key="plan" to={`/monthly-plan/${subscriptionId}`}>
                  Your monthly plan
                </Link>
              ),
            ],
            [
              'Report',
              <Link key="report" to={`/project/${_id}/report`}>
                What was done each month
              </Link>,
            ],
          ].flatMap(([name, value]) => (value ? [[String(name), value] as const] : []))}
        />
      </section>
      {role === 'owner' && <Team />}
      <section className="panel" aria-labelledby="project-deliverables">
        <h2 id="project-deliverables">Deliveries</h2>
        {/* While a delivery waits for a review, `NextStep` shows this failure. */}
        {project.step !== 'review' && <Failure query={deliverables} />}
        {deliverables.data?.length === 0 && <p className="quiet-text">Finished work appears here.</p>}
        {deliverables.data?.map((deliverable, index) => (
          <DeliverableCard key={deliverable._id} deliverable={deliverable} isNewest={index === 0} />
        ))}
      </section>
    </>
  );
}

function Orders({ orders }: Pick<Project, 'orders'>) {
  return orders.map(({ _id, number }, index) => (
    <Fragment key={_id}>
      {index > 0 && ', '}
      <Link to={`/pay-now/${_id}`}>#{number}</Link>
    </Fragment>
  ));
}

function BriefLink({ project: { _id, brief } }: { project: Project }) {
  if (!brief) return 'None for this project';
  const { questions, answered, completedAt } = brief;
  return (
    <>
      <Link to={`/project/${_id}/brief`}>
        {completedAt ? 'Your answers' : counted(questions, 'question')}
      </Link>
      {completedAt ? (
        <>
          , sent <When at={completedAt} />
        </>
      ) : (
        `, ${answered} answered`
      )}
    </>
  );
}

function Team() {
  return (
    <section className="panel" aria-labelledby="project-team">
      <h2 id="project-team">Your team</h2>
      <Loaded query={useQuery('GET /team')}>{(team) => <Colleagues team={team} />}</Loaded>
    </section>
  );
}

function Colleagues({ team }: { team: AnswerOf<'GET /team'> }) {
  // Colleagues with the role `billing` cannot see projects.
  const projectMembers = team.members.filter(({ role }) => role === 'member');
  const hasTeam = team.members.length > 0;
  return (
    <>
      {projectMembers.length > 0 ? (
        <ul className="plain-list">
          {projectMembers.map(({ _id, name }) => (
            <li key={_id}>{name}</li>
          ))}
        </ul>
      ) : (
        <p className="quiet-text">
          {hasTeam ? 'Only you can see your projects, so far.' : 'Only you, so far.'}
        </p>
      )}
      <p>
        <Link to="/team">{hasTeam ? 'Manage team' : 'Invite a colleague'}</Link>
      </p>
    </>
  );
}
