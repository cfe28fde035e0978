import '../admin-projects.css';
import { type ComponentType, type ReactNode, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { StaffProject } from '#libs/contracts';
import { useTabTitle } from '../../../lib/tab-title.js';
import { Callout } from '../../../workspace/Callout.js';
import { Empty } from '../../../workspace/Empty.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useLiveThread } from '../../../workspace/projects/live-thread.js';
import { Thread } from '../../../workspace/projects/Thread.js';
import { staffThreadCalls } from '../../../workspace/projects/thread-calls.js';
import { useQuery, useRefetch } from '../../../workspace/query.js';
import { projectNumber } from '../words.js';
import { StaffActivity } from './StaffActivity.js';
import { BriefPanel } from './BriefPanel.js';
import { Checklist } from './Checklist.js';
import { CustomerPanel } from './CustomerPanel.js';
import { Deliverables } from './Deliverables.js';
import { ProjectActions } from './ProjectActions.js';
import { ProjectDetails } from './ProjectDetails.js';
import { ProjectFiles } from './ProjectFiles.js';
import { useStaffDrafts } from './staff-drafts.js';
import { StaffComposer } from './StaffComposer.js';

type Frame = ComponentType<{ title?: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }>;

/** `Frame` is `AdminScreen`, passed in because features do not import each other. `Frame` shows the project’s title as the heading. */
export function ProjectAdmin({ Frame }: { Frame: Frame }) {
  const { id = '' } = useParams();
  const query = useQuery('GET /staff-project/:id', { params: { id } });
  // While another project loads, the query still has the data of the previous one.
  const project = query.data?._id === id ? query.data : undefined;
  if (project) return <LoadedProject key={id} project={project} Frame={Frame} />;
  const missing = (
    <Empty
      title="Project not found"
      action={
        <Link className="button" to="/admin/projects">
          All projects
        </Link>
      }
    >
      The address may be incomplete.
    </Empty>
  );
  return (
    <Frame>
      <Loaded query={{ ...query, data: undefined }} missing={missing}>
        {() => null}
      </Loaded>
    </Frame>
  );
}

type Part = 'conversation' | 'details';

function LoadedProject({ project, Frame }: { project: StaffProject; Frame: Frame }) {
  const [part, setPart] = useState<Part>('conversation');
  const refetch = useRefetch();
  const calls = useMemo(() => staffThreadCalls(project._id), [project._id]);
  const refresh = () => void refetch();
  const thread = useLiveThread(calls, { onChanged: refresh, onRead: refresh });
  const drafts = useStaffDrafts(project._id);
  useTabTitle(`${project.title} ${projectNumber(project)}`);
  return (
    <Frame
      title={project.title}
      lead={
        <>
          {projectNumber(project)} for{' '}
          <Link to={`/customer/${project.accountId}`}>{project.customerName}</Link>
        </>
      }
      actions={<ProjectActions project={project} />}
    >
      <Reason project={project} />
      <div className="segments project-parts" role="group" aria-label="Part of the project">
        {(['conversation', 'details'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === part} onClick={() => setPart(one)}>
            {one === 'conversation' ? 'Conversation' : 'Details'}
          </button>
        ))}
      </div>
      <div className={`project-admin project-admin--${part}`}>
        <div className="project-admin__head">
          <ProjectDetails project={project} />
        </div>
        <div className="project-admin__thread">
          <Thread
            thread={thread}
            calls={calls}
            side="staff"
            otherSideLabel="Customer"
            quote={
              drafts.mode === 'message'
                ? ({ _id, by, text }) => drafts.draft.change({ quote: { _id, name: by.name, text } })
                : undefined
            }
            empty={
              <Empty title="Nobody has written yet">
                Say hello, or leave a note for your colleagues. {project.customerName} gets your message by
                e-mail if they don’t see it here.
              </Empty>
            }
          >
            <StaffComposer project={project} drafts={drafts} show={thread.show} />
          </Thread>
        </div>
        <aside className="project-admin__side" aria-label="About the project">
          <Checklist project={project} />
          <Deliverables project={project} />
          <BriefPanel project={project} />
          <ProjectFiles project={project} />
          <CustomerPanel project={project} />
          {thread.state && <StaffActivity entries={thread.state.entries} />}
        </aside>
      </div>
    </Frame>
  );
}

function Reason({ project: { state, reason } }: { project: StaffProject }) {
  if (!reason || (state !== 'on_hold' && state !== 'closed')) return null;
  return (
    <Callout title={state === 'on_hold' ? 'On hold' : 'Closed'}>
      <p dir="auto">{reason}</p>
    </Callout>
  );
}
