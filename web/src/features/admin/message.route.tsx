import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Message } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { offerUndelete } from '../../workspace/bulk.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { Details } from '../../workspace/Details.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type ChangeResult, useQuery, useSave } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { AdminScreen } from './AdminScreen.js';

export function Component() {
  const { id = '' } = useParams();
  return (
    <AdminScreen>
      <View key={id} id={id} />
    </AdminScreen>
  );
}

function View({ id }: { id: string }) {
  const message = useQuery('GET /message/:id', { params: { id } });
  return <Loaded query={message}>{(data) => <Shown message={data} />}</Loaded>;
}

function Shown({ message }: { message: Message }) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const unread = message.messageStatus === 'UnRead';

  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('PUT /message/:id', {
      params: { id: message._id },
      body: { messageStatus: 'Read' },
    });
    if (!answer.ok) return answer.problem;
    return () => showToast('Message is Read');
  });

  async function remove(): Promise<ChangeResult> {
    const answer = await callApi('DELETE /message/:id', { params: { id: message._id } });
    if (!answer.ok) return answer.problem;
    await navigate('/all-messages');
    return () =>
      offerUndelete({
        text: 'Message is Deleted',
        ids: [message._id],
        restore: 'POST /messages/restore',
        restored: 'Message is Restored',
      });
  }

  return (
    <section className="panel" aria-label="Message">
      <Details
        items={[
          ['Sender', message.fullName],
          ['E-mail', <a href={`mailto:${message.emailAddress}`}>{message.emailAddress}</a>],
          ['Subject', message.subject],
          ['Message', message.message],
          ['Received', <When at={message.createdAt} time />],
          ['Status', <Status tone={unread ? 'waiting' : 'good'}>{message.messageStatus}</Status>],
        ]}
      />
      <FormProblem problem={problem} />
      <div className="buttons">
        {unread && (
          <button className="button" type="button" aria-disabled={saving} onClick={() => void save()}>
            Mark Read
          </button>
        )}
        <button className="button button--quiet" type="button" onClick={() => setDeleting(true)}>
          Delete
        </button>
      </div>
      {deleting && (
        <ConfirmDialog
          title="Delete this message?"
          action="Delete message"
          confirm={remove}
          close={() => setDeleting(false)}
        >
          <p>
            ‘{message.subject}’ from {message.fullName}. You can undo this right afterwards.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
