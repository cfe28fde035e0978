import { useState } from 'react';
import type { SubscriberRecord } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { offerUndelete, useBulk } from '../../workspace/bulk.js';
import { BulkFailures } from '../../workspace/BulkFailures.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { type Column, DataTable, type Sort } from '../../workspace/DataTable.js';
import { DeleteSelected } from '../../workspace/DeleteSelected.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { type FilterOf, usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import { useSelection } from '../../workspace/selection.js';
import type { ChangeResult } from '../../workspace/query.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { subscriberStatusWords } from '../../workspace/subscriber-words.js';
import { SubscriberDetails } from './SubscriberDetails.js';

const deletion = {
  one: 'subscriber',
  many: 'subscribers',
  deleteAddress: 'POST /subscribers/delete',
  restoreAddress: 'POST /subscribers/restore',
  verb: 'Remove',
  participle: 'removed',
  effect: 'won’t get the newsletter any more',
} as const;

const dataColumns: readonly Column<SubscriberRecord>[] = [
  {
    key: 'email',
    head: 'E-mail',
    sortable: true,
    alwaysShown: true,
    cell: ({ email }) => (
      <>
        <EmailAddress email={email} />
        <DemoLabel email={email} />
      </>
    ),
  },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => {
      const { word, tone } = subscriberStatusWords[status];
      return <Status tone={tone}>{word}</Status>;
    },
  },
  { key: 'createdAt', head: 'Since', sortable: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

interface SubscriberTableProps {
  /** Rows on each page. With `listOptions`, this is only the default. */
  size: number;
  /** Name of the page parameter in the address. */
  param?: string;
  /** Without it, the table has no filter, sorting, selection or export, and shows the newest subscribers first. */
  listOptions?: {
    filter: FilterOf<'GET /subscribers'>;
    filterIsActive: boolean;
    clearFilter(): void;
    sort: Sort;
  };
}

export function SubscriberTable({ size, param, listOptions }: SubscriberTableProps) {
  const filter = listOptions?.filter ?? {};
  const list = usePaged('GET /subscribers', filter, { size, param, resizable: listOptions !== undefined });
  const [removing, setRemoving] = useState<SubscriberRecord>();
  const [shown, setShown] = useState<SubscriberRecord>();
  const selection = useSelection(list.rows.data);
  const emailOf = (id: string) => list.rows.data?.find(({ _id }) => _id === id)?.email ?? 'A subscriber';
  const bulk = useBulk(selection, emailOf);
  const columns: readonly Column<SubscriberRecord>[] = [
    { key: 'sl', head: 'SL', cell: (_, index) => list.first + index },
    ...dataColumns,
    {
      key: 'actions',
      head: 'Actions',
      align: 'end',
      alwaysShown: true,
      cell: (subscriber) => (
        <span>
          <button className="button button--plain" type="button" onClick={() => setShown(subscriber)}>
            Details<span className="visually-hidden"> of {subscriber.email}</span>
          </button>{' '}
          <button className="button button--plain" type="button" onClick={() => setRemoving(subscriber)}>
            Remove<span className="visually-hidden"> {subscriber.email}</span>
          </button>
        </span>
      ),
    },
  ];
  return (
    <section className="panel" aria-labelledby="total-subscribers">
      <h2 id="total-subscribers">Total Subscribers</h2>
      <BulkFailures bulk={bulk} />
      <DataTable
        caption="Total Subscribers"
        captionHidden
        skeletonRows={list.size}
        sort={listOptions?.sort}
        rememberAs={listOptions && 'subscribers'}
        tools={
          listOptions && (
            <ExportLink href={pathOf('GET /subscribers/export', { query: filter })} what="subscribers" />
          )
        }
        rowSelection={
          listOptions && {
            selection,
            nameOf: ({ email }) => email,
            actions: <DeleteSelected deletion={deletion} bulk={bulk} selection={selection} />,
          }
        }
        rows={list.rows}
        rowKey={({ _id }) => _id}
        columns={columns}
        empty={
          listOptions?.filterIsActive ? (
            <NoMatches what="subscribers" showAll={listOptions.clearFilter} />
          ) : (
            <Empty title="No subscribers yet">
              Addresses appear here when visitors sign up for the newsletter.
            </Empty>
          )
        }
      />
      <Pager label="subscribers" list={list} />
      {shown && <SubscriberDetails subscriber={shown} close={() => setShown(undefined)} />}
      {removing && <RemoveDialog subscriber={removing} close={() => setRemoving(undefined)} />}
    </section>
  );
}

function RemoveDialog({
  subscriber: { _id, email },
  close,
}: {
  subscriber: SubscriberRecord;
  close(): void;
}) {
  async function remove(): Promise<ChangeResult> {
    const answer = await callApi('DELETE /subscriber/:id', { params: { id: _id } });
    if (!answer.ok && answer.problem.status !== 404) return answer.problem;
    return () =>
      offerUndelete({
        text: 'Subscriber is Removed',
        ids: [_id],
        restoreAddress: 'POST /subscribers/restore',
        restoredText: 'Subscriber is Restored',
      });
  }
  return (
    <ConfirmDialog
      title="Remove this subscriber?"
      actionLabel="Remove subscriber"
      close={close}
      confirm={remove}
    >
      <p>
        <strong>{email}</strong> won’t get the newsletter any more. You can undo this right afterwards.
      </p>
    </ConfirmDialog>
  );
}
