import { Link } from 'react-router-dom';
import type { Message } from '#libs/contracts';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';

const size = 5;

const columns: readonly Column<Message>[] = [
  { key: 'subject', head: 'Subject', compact: 'title', cell: ({ subject }) => subject },
  { key: 'when', head: 'Received', compact: 'line', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    key: 'answered',
    head: 'Answered',
    compact: 'end',
    cell: ({ answeredAt }) =>
      answeredAt ? <Status tone="good">Answered</Status> : <Status tone="waiting">Not answered</Status>,
  },
  {
    key: 'open',
    head: 'Message',
    align: 'end',
    compact: 'open',
    cell: ({ _id, subject }) => (
      <Link className="unbroken data-table__open" to={`/view/${_id}`}>
        View message<span className="visually-hidden">: {subject}</span>
      </Link>
    ),
  },
];

/** Messages whose sender entered this address. */
export function CustomerMessages({ email }: { email: string }) {
  const list = usePaged('GET /messages', { emailAddress: email }, { size, param: 'messages' });
  return (
    <section className="panel" aria-labelledby="customer-messages">
      <h2 id="customer-messages">Messages from {email}</h2>
      <DataTable
        caption={`Messages from ${email}`}
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={columns}
        empty={<Empty title="No messages">Messages from the contact form appear here.</Empty>}
      />
      {(list.rows.total ?? 0) > size && <Pager label="messages" list={list} />}
    </section>
  );
}
