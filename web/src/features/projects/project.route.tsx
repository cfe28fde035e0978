import './projects.css';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import type { Project } from '#libs/contracts';
import { isRecordId } from '../../lib/record-id.js';
import { useTabTitle } from '../../lib/tab-title.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Loaded } from '../../workspace/Loaded.js';
import { whatHappensNext } from '../../workspace/projects/words.js';
import { useRefetchUnreadCount } from '../../workspace/projects/unread.js';
import { useQuery } from '../../workspace/query.js';
import { useIsWide } from '../../workspace/wide.js';
import { Conversation } from './Conversation.js';
import { NextStep } from './NextStep.js';
import { NoSuchProject } from './NoSuchProject.js';
import { ProjectDetails } from './ProjectDetails.js';
import { ProjectFiles } from './ProjectFiles.js';
import { Panels } from './Panels.js';

const breadcrumbs = [{ to: '/projects', text: 'Projects' }];

export function Component() {
  const { id } = useParams();
  if (isRecordId(id)) return <Screen key={id} id={id} />;
  return (
    <CustomerScreen title="Project" breadcrumbs={breadcrumbs}>
      <NoSuchProject />
    </CustomerScreen>
  );
}

function Screen({ id }: { id: string }) {
  const project = useQuery('GET /project/:id', { params: { id } });
  const { data } = project;
  useTabTitle(data?.title);
  return (
    <CustomerScreen
      title={data ? data.title : 'Project'}
      breadcrumbs={breadcrumbs}
      lead={data && leadOf(data)}
    >
      <Loaded query={project} missing={<NoSuchProject />}>
        {(loaded) => <ProjectContent project={loaded} />}
      </Loaded>
    </CustomerScreen>
  );
}

function leadOf(project: Project): string {
  const { step, state, number } = project;
  const hasCallout = step !== null || state === 'on_hold' || state === 'closed';
  return hasCallout ? `#${number}` : `#${number} · ${whatHappensNext(project)}`;
}

function ProjectContent({ project }: { project: Project }) {
  const { _id: id } = project;
  const isWide = useIsWide();
  const refetchProject = useProjectRefetch(id);
  const refetchUnreadCount = useRefetchUnreadCount();
  const deliverables = useQuery('GET /project/:id/deliverables', { params: { id } });
  const files = useQuery('GET /project/:id/files', { params: { id } });
  // The conversation waits for the deliverables that it shows, so that nothing in it moves when they arrive.
  const isReady = deliverables.data !== undefined || deliverables.problem !== undefined;
  const conversation = isReady && (
    <Conversation
      project={project}
      deliverables={deliverables.data ?? []}
      onChanged={refetchProject}
      onRead={refetchUnreadCount}
      key={id}
    />
  );
  const details = <ProjectDetails project={project} deliverables={deliverables} />;
  const projectFiles = <ProjectFiles files={files} initialCount={isWide ? 6 : undefined} />;
  return (
    <>
      <NextStep project={project} deliverables={deliverables} />
      <Panels
        isWide={isWide}
        panels={[
          { name: 'conversation', title: 'Conversation', content: conversation },
          { name: 'details', title: 'Details', content: details },
          { name: 'files', title: 'Files', content: projectFiles },
        ]}
      />
    </>
  );
}

/** Returns a function that reads the project, and the summary of all projects, again. Call it when something has happened in the project. */
function useProjectRefetch(id: string): () => void {
  const client = useQueryClient();
  return () =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        String(path).startsWith(`/project/${id}`) || path === '/projects/summary',
    });
}
