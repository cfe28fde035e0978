import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Message, MessageStatus } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { useBulk } from '../../workspace/bulk.js';
import { BulkFailures } from '../../workspace/BulkFailures.js';
import { FilterSelect } from '../../workspace/FilterSelect.js';
import { type Column, DataTable, type Sort } from '../../workspace/DataTable.js';
import { DeleteSelected } from '../../workspace/DeleteSelected.js';
import { startOfDay, endOfDay } from '../../workspace/days.js';
import { DayField } from '../../workspace/DayField.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { useListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { type FilterOf, usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import { useSave } from '../../workspace/query.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSelection } from '../../workspace/selection.js';
import { useSort } from '../../workspace/sorting.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { AdminScreen } from './AdminScreen.js';

const defaultSize = 5;
const pageParams = ['unread', 'read'];

/** The specification prescribes the title. */
export function Component() {
  return (
    <AdminScreen title="Welcome to Admin Panel" lead="Messages from the contact form, newest first.">
      <UnreadAndReadMessages />
    </AdminScreen>
  );
}

function UnreadAndReadMessages() {
  const filter = useListFilter(['search', 'answered', 'from', 'to'], pageParams);
  const { sort, query } = useSort(['createdAt', 'fullName'], 'createdAt', pageParams);
  const { from, to, answered, search } = filter.values;
  const listQuery = {
    ...query,
    search,
    ...(answered !== undefined && { answered: answered === 'yes' }),
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: endOfDay(to) }),
  };
  const unread = useMessages('UnRead', 'unread', listQuery);
  const read = useMessages('Read', 'read', listQuery);
  const noMatches = filter.active && <NoMatches what="messages" showAll={filter.clear} />;
  return (
    <>
      <ListFilters label="Messages" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="Name, e-mail, subject or text" {...filter.field('search')} />
        <FilterSelect
          label="Answered"
          options={[
            ['no', 'Not answered'],
            ['yes', 'Answered'],
          ]}
          {...filter.field('answered')}
        />
        <div className="day-range">
          <DayField label="From" {...filter.field('from')} />
          <DayField label="To" {...filter.field('to')} />
        </div>
      </ListFilters>
      <MessageTable
        caption="Unread messages"
        messages={unread}
        sort={sort}
        canMarkRead
        empty={
          noMatches || (
            <Empty title="No unread messages">New messages from the contact form appear here.</Empty>
          )
        }
      />
      <MessageTable
        caption="Read messages"
        messages={read}
        sort={sort}
        empty={
          noMatches || <Empty title="No read messages yet">Messages that you mark as read move here.</Empty>
        }
      />
    </>
  );
}

function useMessages(messageStatus: MessageStatus, pageParam: string, filter: FilterOf<'GET /messages'>) {
  const query = { messageStatus, ...filter };
  const list = usePaged('GET /messages', query, { size: defaultSize, param: pageParam, resizable: true });
  return { pageParam, query, list };
}

const deletion = {
  one: 'message',
  many: 'messages',
  deleteAddress: 'POST /messages/delete',
  restoreAddress: 'POST /messages/restore',
  verb: 'Delete',
  participle: 'deleted',
  effect: 'will disappear from the list right away',
} as const;

const columns: readonly Column<Message>[] = [
  {
    key: 'fullName',
    head: 'Name',
    sortable: true,
    alwaysShown: true,
    cell: ({ fullName, emailAddress }) => (
      <>
        {fullName}
        <DemoLabel email={emailAddress} />
      </>
    ),
  },
  { key: 'email', head: 'E-mail', cell: ({ emailAddress }) => <EmailAddress email={emailAddress} /> },
  {
    key: 'subject',
    head: 'Subject',
    cell: ({ _id, subject }) => <span id={`subject-${_id}`}>{subject}</span>,
  },
  {
    key: 'createdAt',
    head: 'Received',
    sortable: true,
    cell: ({ createdAt }) => (
      <span className="unbroken">
        <When at={createdAt} />
      </span>
    ),
  },
  {
    key: 'answered',
    head: 'Answered',
    cell: ({ answeredAt }) =>
      answeredAt ? <Status tone="good">Answered</Status> : <Status tone="waiting">Not answered</Status>,
  },
  {
    key: 'view',
    head: 'Message',
    align: 'end',
    alwaysShown: true,
    cell: ({ _id }) => (
      <Link className="unbroken" to={`/view/${_id}`} aria-describedby={`subject-${_id}`}>
        View Message
      </Link>
    ),
  },
];

interface MessageTableProps {
  caption: string;
  messages: ReturnType<typeof useMessages>;
  sort: Sort;
  canMarkRead?: boolean;
  empty: ReactNode;
}

function MessageTable({ caption, messages, sort, canMarkRead, empty }: MessageTableProps) {
  const { pageParam, query, list } = messages;
  const selection = useSelection(list.rows.data);
  const subjectOf = (id: string) => list.rows.data?.find(({ _id }) => _id === id)?.subject ?? 'A message';
  const bulk = useBulk(selection, subjectOf);
  const { save: markRead, problem } = useSave(() =>
    bulk.run({
      ids: selection.ids,
      send: (ids) => callApi('PUT /messages/status', { body: { ids, messageStatus: 'Read' } }),
      onDone({ length }) {
        // 'Message is Read' is the specification's sentence.
        showToast(length === 1 ? 'Message is Read' : `${length} messages marked as read`);
      },
    }),
  );
  async function markReadAndKeepFocus(): Promise<void> {
    await markRead();
    selection.restoreFocus();
    focusContentIfFocusIsLost();
  }
  return (
    <section className="panel" aria-labelledby={`${pageParam}-heading`}>
      <h2 id={`${pageParam}-heading`}>{caption}</h2>
      <FormProblem problem={problem} />
      <BulkFailures bulk={bulk} />
      <DataTable
        caption={caption}
        captionHidden
        skeletonRows={list.size}
        sort={sort}
        rememberAs="messages"
        tools={<ExportLink href={pathOf('GET /messages/export', { query })} what={caption} />}
        rowSelection={{
          selection,
          nameOf: ({ subject, fullName }) => `${subject}, ${fullName}`,
          actions: (
            <>
              {canMarkRead && (
                <button
                  className="button button--quiet"
                  type="button"
                  onClick={() => void markReadAndKeepFocus()}
                >
                  Mark as read
                </button>
              )}
              <DeleteSelected deletion={deletion} bulk={bulk} selection={selection} />
            </>
          ),
        }}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        // 'SL' is the serial number.
        columns={[{ key: 'sl', head: 'SL', cell: (_, index) => list.first + index }, ...columns]}
        empty={empty}
      />
      {(list.rows.total ?? 0) > defaultSize && <Pager label={caption} list={list} />}
    </section>
  );
}
