import { useRef } from 'react';
import type { SubscriberRecord } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { Details } from '../../workspace/Details.js';
import { CloseButton, Dialog } from '../../workspace/Dialog.js';
import { closeAfterChange } from '../../workspace/focus-content.js';
import { useSave } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';
import { consentSourceWords, subscriberStatusWords } from '../../workspace/subscriber-words.js';

interface SubscriberDetailsProps {
  subscriber: SubscriberRecord;
  close(): void;
}

/** Shows the evidence of consent. For a suppressed address ('blocked' on screens), also shows the reason, and a button that unblocks it. */
export function SubscriberDetails({ subscriber, close }: SubscriberDetailsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { email, status, consent, confirmedAt, confirmedIp, unsubscribedAt, suppressed } = subscriber;

  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('DELETE /subscriber/:id/suppression', { params: { id: subscriber._id } });
    if (answer.ok) return () => showToast('Address unblocked');
    // A colleague has unblocked the address or removed the subscriber meanwhile.
    if (answer.problem.status === 409) return () => showToast('This address is no longer blocked');
    if (answer.problem.status === 404) return () => showToast('This subscriber has been removed');
    return answer.problem;
  });
  async function unblock(): Promise<void> {
    // The row of a removed subscriber is gone, and this dialog with it.
    const element = dialog.current;
    if (await save()) closeAfterChange(element);
  }

  return (
    <Dialog ref={dialog} title={`Details of ${email}`} sending={saving} close={close}>
      <Details
        items={[
          ['Status', subscriberStatusWords[status].word],
          ['Consent source', consent ? consentSourceWords[consent.source] : 'Unknown'],
          ['Consent given on', consent && <When at={consent.at} time />],
          ['Consent text', consent ? (consent.text ?? 'Not recorded') : undefined],
          ['IP address', consent?.ip ?? undefined],
          ['Confirmed', confirmedAt ? <When at={confirmedAt} time /> : undefined],
          ['Confirmed from IP', confirmedIp ?? undefined],
          ['Unsubscribed', unsubscribedAt ? <When at={unsubscribedAt} time /> : undefined],
          ['Blocked', suppressed ? <When at={suppressed.at} time /> : undefined],
          ['Reason', suppressed?.reason],
        ]}
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        <CloseButton sending={saving}>Close</CloseButton>
        {suppressed && (
          <button className="button" type="button" aria-disabled={saving} onClick={() => void unblock()}>
            {saving ? 'One moment' : 'Unblock address'}
          </button>
        )}
      </p>
    </Dialog>
  );
}
