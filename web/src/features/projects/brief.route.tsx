import './projects.css';
import { Link, useParams } from 'react-router-dom';
import type { Brief } from '#libs/contracts';
import { Waiting } from '../../components/Waiting.js';
import { isRecordId } from '../../lib/record-id.js';
import { useTabTitle } from '../../lib/tab-title.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Empty } from '../../workspace/Empty.js';
import { Loaded } from '../../workspace/Loaded.js';
import { BriefAnswers } from '../../workspace/projects/BriefAnswers.js';
import { useQuery } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';
import { BriefQuestions } from './BriefQuestions.js';
import { NoSuchProject } from './NoSuchProject.js';

export function Component() {
  const { id } = useParams();
  if (isRecordId(id)) return <Screen key={id} id={id} />;
  return (
    <CustomerScreen title="Questions before we begin">
      <NoSuchProject />
    </CustomerScreen>
  );
}

function Screen({ id }: { id: string }) {
  const project = useQuery('GET /project/:id', { params: { id } });
  const brief = useQuery('GET /project/:id/brief', { params: { id } });
  const title = project.data?.title;
  const isDone = Boolean(brief.data?.completedAt);
  useTabTitle(title && `Questions: ${title}`);
  return (
    <CustomerScreen
      title={isDone ? 'Your answers' : 'Questions before we begin'}
      lead={title && `For ${title}, #${project.data?.number}`}
      breadcrumbs={[
        { to: '/projects', text: 'Projects' },
        { to: `/project/${id}`, text: title ?? 'Project' },
      ]}
    >
      <Loaded
        query={brief}
        missing={
          <Loaded query={project} missing={<NoSuchProject />}>
            {() => (
              <NothingToAnswer projectId={id} title="No questions">
                We have everything that we need for this project.
              </NothingToAnswer>
            )}
          </Loaded>
        }
      >
        {(data) =>
          data.completedAt ? (
            <SentAnswers brief={data} projectId={id} />
          ) : !project.data && !project.problem ? (
            <Waiting />
          ) : project.data?.state === 'closed' ? (
            <NothingToAnswer projectId={id} title="This project is closed">
              Its questions no longer need an answer.
            </NothingToAnswer>
          ) : (
            <BriefQuestions brief={data} projectId={id} />
          )
        }
      </Loaded>
    </CustomerScreen>
  );
}

function SentAnswers({ brief, projectId }: { brief: Brief; projectId: string }) {
  return (
    <section className="panel" aria-label="Your answers">
      <p className="quiet-text">
        Sent by {brief.completedBy}, <When at={brief.completedAt!} time />. If something has changed,{' '}
        <Link to={`/project/${projectId}`}>write us a message</Link>.
      </p>
      <BriefAnswers brief={brief} />
    </section>
  );
}

interface NothingToAnswerProps {
  projectId: string;
  title: string;
  children: string;
}

function NothingToAnswer({ projectId, title, children }: NothingToAnswerProps) {
  return (
    <Empty
      title={title}
      action={
        <Link className="button" to={`/project/${projectId}`}>
          Go to the project
        </Link>
      }
    >
      {children}
    </Empty>
  );
}
