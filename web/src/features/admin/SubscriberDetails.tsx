import { useEffect, useId, useRef, useState } from 'react';
import type { SubscriberRecord } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { notify } from '../../lib/notices.js';
import { Details } from '../../workspace/Details.js';
import { When } from '../../workspace/When.js';
import { consentSourceWords, subscriberStatusWords } from './subscriber-words.js';

interface SubscriberDetailsProps {
  subscriber: SubscriberRecord;
  changed(): void;
  close(): void;
}

/** What shows that somebody wants the newsletter, and why it may not go there. */
export function SubscriberDetails({ subscriber, changed, close }: SubscriberDetailsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [problem, setProblem] = useState<Problem>();
  const [working, setWorking] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const { email, status, consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed } = subscriber;

  async function lift(): Promise<void> {
    if (working) return;
    setWorking(true);
    const answer = await callApi('DELETE /subscriber/:id/suppression', { params: { id: subscriber._id } });
    setWorking(false);
    if (!answer.ok) return setProblem(answer.problem);
    notify('E-mails to this address resumed');
    changed();
    dialog.current?.close();
  }

  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>Consent from {email}</h2>
      <Details
        items={[
          ['Status', subscriberStatusWords[status].word],
          ['Source', consent ? consentSourceWords[consent.source] : 'Unknown'],
          ['Given on', consent && <When at={consent.at} time />],
          ['Consent text', consent ? (consent.text ?? 'Not recorded') : undefined],
          ['IP address', consent?.ip ?? undefined],
          ['Confirmed', confirmedAt ? <When at={confirmedAt} time /> : undefined],
          ['Confirmed from IP', confirmedIp ?? undefined],
          ['Unsubscribed', unsubscribedAt ? <When at={unsubscribedAt} time /> : undefined],
          ['Bounced', suppressed ? <When at={suppressed.at} time /> : undefined],
          ['Bounce reason', suppressed?.reason],
        ]}
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
        {suppressed && (
          <button className="button" type="button" aria-disabled={working} onClick={() => void lift()}>
            {working ? 'One moment' : 'Resume e-mails'}
          </button>
        )}
      </p>
    </dialog>
  );
}
