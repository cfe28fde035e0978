import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { MessageWithThread } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { offerUndelete } from '../../workspace/bulk.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { Details } from '../../workspace/Details.js';
import { formatDateTime } from '../../workspace/formats.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type ChangeResult, useQuery, useSave } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { AdminScreen } from './AdminScreen.js';
import { MessageThread } from './MessageThread.js';

export function Component() {
  const { id = '' } = useParams();
  return (
    <AdminScreen>
      <MessageView key={id} id={id} />
    </AdminScreen>
  );
}

function MessageView({ id }: { id: string }) {
  const message = useQuery('GET /message/:id', { params: { id } });
  return (
    <Loaded query={message}>
      {(data) => (
        <>
          <MessagePanel message={data} />
          <MessageThread message={data} />
        </>
      )}
    </Loaded>
  );
}

function MessagePanel({ message }: { message: MessageWithThread }) {
  const [customer] =
    useQuery('GET /customers', { query: { email: message.emailAddress, limit: 1 } }).data ?? [];
  return (
    <section className="panel" aria-label="Message">
      <Details
        items={[
          [
            'Sender',
            <>
              {message.fullName}
              <DemoLabel email={message.emailAddress} />
            </>,
          ],
          ['Customer', customer && <Link to={`/customer/${customer._id}`}>{customer.name}</Link>],
          ['E-mail', <a href={`mailto:${message.emailAddress}`}>{message.emailAddress}</a>],
          ['Subject', message.subject],
          ['Message', message.message],
          ['Received', <When at={message.createdAt} time />],
          [
            'Status',
            <Status tone={message.messageStatus === 'UnRead' ? 'waiting' : 'good'}>
              {message.messageStatus}
            </Status>,
          ],
          [
            'Answered',
            message.answeredAt ? (
              <Status tone="good">{formatDateTime(message.answeredAt)}</Status>
            ) : (
              <Status tone="waiting">Not yet</Status>
            ),
          ],
        ]}
      />
      <Actions message={message} />
    </section>
  );
}

function Actions({ message }: { message: MessageWithThread }) {
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false);
  const params = { id: message._id };
  const {
    save: markAs,
    saving,
    problem,
  } = useSave(async (change: 'read' | 'answered' | 'unanswered') => {
    const answer =
      change === 'read'
        ? await callApi('PUT /message/:id', { params, body: { messageStatus: 'Read' } })
        : await callApi('PUT /message/:id/answered', { params, body: { answered: change === 'answered' } });
    if (!answer.ok) return answer.problem;
    return () => showToast(toasts[change]);
  });
  return (
    <>
      <FormProblem problem={problem} />
      <div className="buttons">
        {message.messageStatus === 'UnRead' && (
          <button
            className="button"
            type="button"
            aria-disabled={saving}
            onClick={() => void markAs('read').then(focusContentIfFocusIsLost)}
          >
            Mark Read
          </button>
        )}
        <button
          className="button button--quiet"
          type="button"
          aria-disabled={saving}
          onClick={() => void markAs(message.answeredAt ? 'unanswered' : 'answered')}
        >
          {message.answeredAt ? 'Mark as not answered' : 'Mark as answered'}
        </button>
        <button className="button button--quiet" type="button" onClick={() => setDeleteDialogOpen(true)}>
          Delete
        </button>
      </div>
      {isDeleteDialogOpen && <DeleteDialog message={message} close={() => setDeleteDialogOpen(false)} />}
    </>
  );
}

const toasts = {
  read: 'Message is Read',
  answered: 'Message is Answered',
  unanswered: 'Message is Not Answered',
} as const;

function DeleteDialog({ message, close }: { message: MessageWithThread; close(): void }) {
  const navigate = useNavigate();
  async function remove(): Promise<ChangeResult> {
    const answer = await callApi('DELETE /message/:id', { params: { id: message._id } });
    if (!answer.ok && answer.problem.status !== 404) return answer.problem;
    await navigate('/all-messages');
    return () =>
      offerUndelete({
        text: 'Message is Deleted',
        ids: [message._id],
        restoreAddress: 'POST /messages/restore',
        restoredText: 'Message is Restored',
      });
  }
  return (
    <ConfirmDialog title="Delete this message?" actionLabel="Delete message" confirm={remove} close={close}>
      <p>
        ‘{message.subject}’ from {message.fullName} will be deleted. You can undo this right afterwards.
      </p>
    </ConfirmDialog>
  );
}
