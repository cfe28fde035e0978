import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { Picture } from '../../../components/Picture.js';
import { FormProblem } from '../../../components/FormProblem.js';
import { callApi } from '../../../lib/api.js';
import { money } from '../../../lib/money.js';
import { showToast } from '../../../lib/toasts.js';
import { useRefreshSite } from '../../../lib/site.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { deleteRecord, type StoredRecord } from '../../../workspace/content-api.js';
import { NoMatches } from '../../../workspace/NoMatches.js';
import { Pager } from '../../../workspace/Pager.js';
import { offerUndo } from '../../../workspace/undo.js';
import { useIsShown } from '../../../workspace/use-is-shown.js';
import { editAddressOf, nameOf, onePerFieldOf, type ScreenPart } from '../content-screens.js';
import { useRecordView } from './record-view.js';
import { MoveButtons, useRecordOrder } from './RecordOrder.js';
import { RecordTools } from './RecordTools.js';

interface RecordListProps {
  part: ScreenPart;
  records: readonly StoredRecord[];
  /** Records can be reordered. */
  movable?: boolean;
}

/** The smallest page size that the pager offers. A list that fits on such a page has no pager. */
const smallestPageSize = 10;

export function RecordList({ part, records, ...props }: RecordListProps) {
  const order = useRecordOrder(part, records);
  const view = useRecordView(part, records);
  const movable = Boolean(props.movable) && records.length > 1;
  const [toDelete, setToDelete] = useState<StoredRecord>();
  // The version that is shown now, if the record is still there: a colleague may have saved a newer one while the dialog is open.
  const deleting = toDelete && (records.find(({ _id }) => _id === toDelete._id) ?? toDelete);
  return (
    <>
      {view.hasTools && <RecordTools part={part} view={view} movable={movable} />}
      {view.foundCount === 0 && <NoMatches what={part.section.labels.many} showAll={() => view.search('')} />}
      <ul className="records">
        {view.shown.map((record) => (
          <Row
            key={record._id}
            part={part}
            record={record}
            remove={onePerFieldOf(part.section) === undefined ? () => setToDelete(record) : undefined}
          >
            {movable && view.isSiteOrder && <MoveButtons order={order} part={part} record={record} />}
          </Row>
        ))}
      </ul>
      {records.length > smallestPageSize && <Pager label={part.section.labels.many} list={view.pager} />}
      {order.problem && <FormProblem problem={order.problem} />}
      {deleting && <DeleteDialog part={part} record={deleting} close={() => setToDelete(undefined)} />}
    </>
  );
}

interface RowProps {
  part: ScreenPart;
  record: StoredRecord;
  /** Undefined if the section has at most one record for each option of a field: admins cannot delete these records. */
  remove: (() => void) | undefined;
  children?: ReactNode;
}

function Row({ part, record, remove, children }: RowProps) {
  const { section, nameField, editLinkLabel } = part;
  const name = nameOf(part, record);
  const otherFields = Object.entries(section.fields).filter(([field]) => field !== nameField);
  const pictureField = otherFields.find(([, { kind }]) => kind === 'image')?.[0];
  const priceField = otherFields.find(([, { kind }]) => kind === 'price')?.[0];
  const textField = otherFields.find(([field, { kind }]) => /text/i.test(kind) && record[field])?.[0];
  const to = editAddressOf(part, record._id);
  const nameId = `name-${record._id}`;
  return (
    <li className="record">
      {pictureField && (
        <Picture className="record__picture" src={record[pictureField]} alt="" width={40} height={40} />
      )}
      <div className="record__text">
        <h3 id={nameId}>{editLinkLabel ? name : <Link to={to}>{name}</Link>}</h3>
        {priceField && <p className="record__price">{money(record[priceField])}/month</p>}
        {textField && <p className="record__line">{record[textField]}</p>}
      </div>
      <div className="buttons">
        {children}
        {editLinkLabel && (
          <Link className="button button--quiet" to={to} aria-describedby={nameId}>
            {editLinkLabel}
          </Link>
        )}
        {remove && (
          <button className="button button--plain" type="button" onClick={remove}>
            Delete<span className="visually-hidden"> {name}</span>
          </button>
        )}
      </div>
    </li>
  );
}

interface DeleteDialogProps {
  part: ScreenPart;
  record: StoredRecord;
  onDeleted?(): void;
  close(): void;
}

export function DeleteDialog({ part, record, onDeleted, close }: DeleteDialogProps) {
  const { section } = part;
  const refreshSite = useRefreshSite();
  const isShown = useIsShown();
  return (
    <ConfirmDialog
      title={`Delete this ${section.labels.one}?`}
      actionLabel={`Delete ${section.labels.one}`}
      close={close}
      confirm={async () => {
        const answer = await deleteRecord(section, record);
        // A record that is already gone counts as deleted.
        if (!answer.ok && answer.problem.status !== 404) return answer.problem;
        refreshSite();
        if (isShown.current) onDeleted?.();
        return () => offerRestore(section.name, record._id, refreshSite);
      }}
    >
      <p>‘{nameOf(part, record)}’ will be removed right away. You can undo this for a short time.</p>
    </ConfirmDialog>
  );
}

/** The restored record has its former id and position. */
function offerRestore(section: string, id: string, refreshSite: () => void): void {
  const undo = async () => {
    const answer = await callApi('POST /restore/:section/:id', { params: { section, id } });
    if (!answer.ok) return answer.problem;
    refreshSite();
    return () => showToast('Item is Restored');
  };
  offerUndo('Item is Deleted', undo, { takesFocus: true });
}
