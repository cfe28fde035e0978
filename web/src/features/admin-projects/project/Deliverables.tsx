import type { Deliverable, StaffProject } from '#libs/contracts';
import { Loaded } from '../../../workspace/Loaded.js';
import { FileList } from '../../../workspace/projects/FileList.js';
import { deliverableStateText } from '../../../workspace/projects/words.js';
import { useQuery } from '../../../workspace/query.js';
import { Status } from '../../../workspace/Status.js';
import { When } from '../../../workspace/When.js';

/** Newest first. */
export function Deliverables({ project }: { project: StaffProject }) {
  const deliverables = useQuery('GET /staff-project/:id/deliverables', { params: { id: project._id } });
  return (
    <section className="panel project-panel" aria-labelledby="project-deliverables">
      <h2 id="project-deliverables">Handed over</h2>
      <Loaded query={deliverables}>
        {(list) =>
          list.length === 0 ? (
            <p className="field__hint">
              Nothing yet. Work that you hand over is listed here with the customer’s decision.
            </p>
          ) : (
            <ol className="deliverables">
              {list.map((deliverable, index) => (
                <li className="deliverables__item" key={deliverable._id}>
                  <DeliverableDetails deliverable={deliverable} isNewest={index === 0} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  );
}

function DeliverableDetails({ deliverable, isNewest }: { deliverable: Deliverable; isNewest: boolean }) {
  const { number, text, files, links, state, deliveredBy, decidedBy, decidedAt, reason, createdAt } =
    deliverable;
  const { tone, text: word } = deliverableStateText(state, 'staff', isNewest);
  return (
    <>
      <p className="deliverables__head">
        <strong>Delivery {number}</strong> <Status tone={tone}>{word}</Status>
      </p>
      <p className="deliverables__text" dir="auto">
        {text}
      </p>
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <li key={link}>
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {link}
              </a>
            </li>
          ))}
        </ul>
      )}
      <FileList files={files} label={`Files of delivery ${number}`} />
      <p className="field__hint">
        {deliveredBy}, <When at={createdAt} time />
        {decidedAt && (
          <>
            . Decided by {decidedBy}, <When at={decidedAt} time />
          </>
        )}
      </p>
      {reason && (
        <blockquote className="deliverables__reason" dir="auto">
          {reason}
        </blockquote>
      )}
    </>
  );
}
