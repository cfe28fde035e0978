import './projects.css';
import type { Deliverable } from '#libs/contracts';
import { Status } from '../Status.js';
import { When } from '../When.js';
import { FileList } from './FileList.js';
import { MessageText } from './MessageText.js';
import { deliverableStateText } from './words.js';

interface DeliverableCardProps {
  deliverable: Deliverable;
  isNewest: boolean;
}

export function DeliverableCard({ deliverable, isNewest }: DeliverableCardProps) {
  const { number, state, createdAt, deliveredBy, decidedBy, decidedAt, reason } = deliverable;
  const { tone, text } = deliverableStateText(state, 'customer', isNewest);
  return (
    <article className="deliverable" aria-label={`Delivery ${number}`}>
      <p className="deliverable__head">
        <strong>Delivery {number}</strong>
        <Status tone={tone}>{text}</Status>
      </p>
      <DeliverableContent deliverable={deliverable} />
      {reason && (
        <blockquote className="message__quote" dir="auto">
          <p>{reason}</p>
        </blockquote>
      )}
      <p className="deliverable__note">
        {deliveredBy}, <When at={createdAt} />
        {decidedAt && decidedBy && (
          <>
            {' · '}
            {state === 'accepted' ? 'accepted' : 'changes requested'} by {decidedBy}, <When at={decidedAt} />
          </>
        )}
      </p>
    </article>
  );
}

export function DeliverableContent({ deliverable }: { deliverable: Deliverable }) {
  const { number, text, files, links } = deliverable;
  return (
    <>
      <MessageText text={text} />
      <FileList files={files} label={`Files of delivery ${number}`} />
      {links.length > 0 && (
        <ul className="deliverable__links" aria-label={`Links of delivery ${number}`}>
          {links.map((link) => (
            <li key={link}>
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {link}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
