import './projects.css';
import { Link } from 'react-router-dom';
import type { ProjectSummary } from '#libs/contracts';
import { plainText } from '../../lib/formatted-text.js';
import { useQuery } from '../query.js';
import { counted } from '../formats.js';
import { briefStep } from './words.js';

type Step = ProjectSummary['expected'][number];

/** Renders nothing if the customer has nothing to do and nothing to read. */
export function PendingSteps() {
  const { data } = useQuery('GET /projects/summary');
  if (!data || (data.expected.length === 0 && data.unread === 0)) return null;
  const unread = counted(data.unread, 'unread message or update', 'unread messages and updates');
  return (
    <section className="expected" aria-labelledby="expected">
      <h2 id="expected">Next steps</h2>
      <ul>
        {data.expected.map((step) => (
          <li key={step.projectId}>
            <Row {...rowOf(step)} />
          </li>
        ))}
        {data.unread > 0 && (
          <li>
            <Row
              sentence={`You have ${unread}`}
              about={data.projects === 1 ? undefined : 'In your projects'}
              to="/projects"
              action="Read"
            />
          </li>
        )}
      </ul>
    </section>
  );
}

interface RowProps {
  sentence: string;
  about: string | undefined;
  to: string;
  action: string;
}

function rowOf({ projectId, title, number, step, questions, deliverable }: Step): RowProps {
  const about = `${title} · #${number}`;
  if (step === 'answer_brief')
    return { sentence: briefStep(questions), about, to: `/project/${projectId}/brief`, action: 'Answer' };
  return {
    sentence: `${title} is ready to review`,
    about: deliverable ? `#${number} · ${plainText(deliverable)}` : `#${number}`,
    to: `/project/${projectId}`,
    action: 'Review',
  };
}

function Row({ sentence, about, to, action }: RowProps) {
  return (
    <>
      <div className="expected__what">
        <p className="expected__sentence">{sentence}</p>
        {about && <p className="expected__about">{about}</p>}
      </div>
      <Link className="button" to={to}>
        {action}
        <span className="visually-hidden">: {sentence}</span>
      </Link>
    </>
  );
}
