import './projects.css';
import { Link } from 'react-router-dom';
import type { Project } from '#libs/contracts';
import { Waiting } from '../../components/Waiting.js';
import { useAddressParams } from '../../workspace/address-params.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Empty } from '../../workspace/Empty.js';
import { Failure } from '../../workspace/Failure.js';
import { counted, formatDay } from '../../workspace/formats.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { ProjectState } from '../../workspace/projects/ProjectState.js';
import { whatHappensNext } from '../../workspace/projects/words.js';
import { When } from '../../workspace/When.js';

const pageSize = 15;

export function Component() {
  const [params, change] = useAddressParams();
  const isFinished = params.get('show') === 'finished';
  const list = usePaged('GET /projects', { open: !isFinished }, { size: pageSize });
  const { data, problem, total, loading } = list.rows;
  const show = (finished: boolean) => change({ show: finished ? 'finished' : null, page: null });
  return (
    <CustomerScreen
      title="Projects"
      lead="The work that we do for you: one project for each order or monthly plan."
    >
      <section className="panel" aria-label="Projects">
        <div className="segments project-filter" role="group" aria-label="Which projects">
          <button type="button" aria-pressed={!isFinished} onClick={() => show(false)}>
            Open
          </button>
          <button type="button" aria-pressed={isFinished} onClick={() => show(true)}>
            Finished
          </button>
        </div>
        <p className="visually-hidden" role="status">
          {!loading &&
            total !== undefined &&
            counted(total, isFinished ? 'finished project' : 'open project')}
        </p>
        <Failure what="Error fetching projects" query={list.rows} />
        {!data && !problem && <Waiting />}
        {data && !problem && (
          <>
            {data.length === 0 ? (
              // While the other projects are being read, the data is that of the ones shown before.
              loading ? (
                <Waiting />
              ) : (
                <NoProjects isFinished={isFinished} />
              )
            ) : (
              <ul className="project-list" aria-label="Projects" aria-busy={loading}>
                {data.map((project) => (
                  <Row key={project._id} project={project} />
                ))}
              </ul>
            )}
            {(total ?? 0) > pageSize && <Pager label="projects" list={list} />}
          </>
        )}
      </section>
    </CustomerScreen>
  );
}

function Row({ project }: { project: Project }) {
  const { _id, title, number, state, dueOn, unread, activeAt } = project;
  return (
    <li className="project-row">
      <div className="project-row__text">
        <p className="project-row__title">
          <Link to={`/project/${_id}`}>{title}</Link> <span className="project-row__number">#{number}</span>
          {unread > 0 && (
            <span className="project-row__unread">
              {unread} new<span className="visually-hidden"> messages and updates</span>
            </span>
          )}
        </p>
        <p className="project-row__next">{whatHappensNext(project)}</p>
      </div>
      <div className="project-row__facts">
        <ProjectState state={state} side="customer" />
        {dueOn && <p>Due {formatDay(dueOn)}</p>}
        <p>
          Last activity <When at={activeAt} />
        </p>
      </div>
    </li>
  );
}

function NoProjects({ isFinished }: { isFinished: boolean }) {
  if (isFinished)
    return (
      <Empty title="No finished projects yet">
        Projects move here once you’ve accepted the work, or when they’re closed.
      </Empty>
    );
  return (
    <Empty
      title="No open projects"
      action={
        <Link className="button" to="/pricing/">
          See plans
        </Link>
      }
    >
      Each paid order or monthly plan opens a project. There you answer a few questions, talk to the people
      who do the work, share files and review the results.
    </Empty>
  );
}
