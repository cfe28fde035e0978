import { Link } from 'react-router-dom';
import type { Message, MessageStatus } from '#libs/contracts';
import { DataTable, type Sort } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSort } from '../../workspace/sorting.js';
import { useSearchText } from '../../workspace/search-text.js';
import { When } from '../../workspace/When.js';
import { AdminScreen } from './AdminScreen.js';

const size = 5;
/** Names in the address. */
const pages = ['unread', 'read'];

export function Component() {
  return (
    <AdminScreen
      title="Welcome to Admin Panel"
      tab="Messages"
      lead="Messages from the contact form, newest first."
    >
      {() => <BothTables />}
    </AdminScreen>
  );
}

function BothTables() {
  const { text, look } = useSearchText(pages);
  const { sort, query } = useSort(['createdAt', 'fullName'], 'createdAt', pages);
  const shared = { search: text, sort, query };
  const none = text && <Empty title="No message contains this" />;
  return (
    <>
      <SearchField value={text} placeholder="Name, e-mail, subject or text" look={look} />
      <Messages caption="Unread messages" status="UnRead" param="unread" {...shared}>
        {none || <Empty title="Everything is read">A new message from the contact form appears here.</Empty>}
      </Messages>
      <Messages caption="Read messages" status="Read" param="read" {...shared}>
        {none || (
          <Empty title="No message is marked as read">
            Open a message and mark it as read to move it here.
          </Empty>
        )}
      </Messages>
    </>
  );
}

interface MessagesProps {
  caption: string;
  status: MessageStatus;
  param: string;
  search: string;
  sort: Sort;
  query: Record<string, string>;
  /** What stands here when there are none. */
  children: React.ReactNode;
}

function Messages({ caption, status, param, search, sort, query, children }: MessagesProps) {
  const asked = new URLSearchParams({
    messageStatus: status,
    ...query,
    ...(search && { search }),
  }).toString();
  const list = usePaged<Message>(`/messages?${asked}`, { size, param, resizable: true });
  return (
    <section className="panel" aria-labelledby={`${param}-heading`}>
      <h2 id={`${param}-heading`}>{caption}</h2>
      <DataTable
        caption={caption}
        captionHidden
        size={list.size}
        sort={sort}
        remember="messages"
        tools={<ExportLink href={`/messages/export?${asked}`} what={caption} />}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={[
          { key: 'sl', head: 'SL', cell: (_, index) => list.first + index },
          { key: 'fullName', head: 'Name', sortable: true, always: true, cell: ({ fullName }) => fullName },
          { key: 'email', head: 'E-mail', cell: ({ emailAddress }) => emailAddress },
          {
            key: 'subject',
            head: 'Subject',
            cell: ({ _id, subject }) => <span id={`subject-${_id}`}>{subject}</span>,
          },
          {
            key: 'createdAt',
            head: 'Received',
            sortable: true,
            cell: ({ createdAt }) => <When at={createdAt} />,
          },
          {
            key: 'view',
            head: 'Message',
            align: 'end',
            always: true,
            cell: ({ _id }) => (
              <Link to={`/view/${_id}`} aria-describedby={`subject-${_id}`}>
                View Message
              </Link>
            ),
          },
        ]}
        empty={children}
      />
      {(list.rows.total ?? 0) > size && <Pager label={caption} list={list} />}
    </section>
  );
}
