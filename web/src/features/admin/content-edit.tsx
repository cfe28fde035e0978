import { type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Empty } from '../../workspace/Empty.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord, type Values } from '../../workspace/content-api.js';
import { AdminScreen } from './AdminScreen.js';
import { History } from './content/History.js';
import { RecordFields } from './content/RecordFields.js';
import { DeleteDialog } from './content/RecordList.js';
import { useRecordForm } from './content/record-form.js';
import { NoSuchScreen } from './NoSuchScreen.js';
import { ViewPage } from './content/ViewPage.js';
import {
  type ContentScreen,
  contentScreenAt,
  nameOf,
  onePerField,
  type Part,
  withoutOnePerField,
} from './screens.js';

/**
 * Renders a record's unsaved values as visitors would see them. Passed in, because features do not import
 * each other.
 */
export type ShowPreview = (section: string, record: { _id: string } & Values) => ReactNode;

/** The screen for editing one record. */
export function ContentEdit({ preview }: { preview: ShowPreview }) {
  const { pathname } = useLocation();
  const at = contentScreenAt(pathname);
  if (!at?.part || !at.id) return <NoSuchScreen />;
  const { screen, part, id } = at;
  return (
    <AdminScreen
      title={part.editTitle}
      tabTitle={part.editTitle}
      actions={<ViewPage section={part.section} />}
      breadcrumbs={[
        { to: '/setting', text: 'Settings' },
        { to: screen.path, text: screen.label },
      ]}
    >
      <Read key={id} screen={screen} part={part} id={id} preview={preview} />
    </AdminScreen>
  );
}

interface ReadProps {
  screen: ContentScreen;
  part: Part;
  id: string;
  preview: ShowPreview;
}

function Read(props: ReadProps) {
  const { screen, part, id } = props;
  const query = useRecord(part.section, id);
  const missing = (
    <Empty
      title={`No ${part.section.labels.one} found`}
      action={
        <Link className="button" to={screen.path}>
          {screen.title}
        </Link>
      }
    >
      It may have been deleted.
    </Empty>
  );
  return (
    <Loaded query={query} missing={missing}>
      {(record) => <Edit {...props} record={record} />}
    </Loaded>
  );
}

function Edit({ screen, part, preview, record }: ReadProps & { record: StoredRecord }) {
  const { section: declared, saveLabel } = part;
  const navigate = useNavigate();
  const onePer = onePerField(declared);
  const section = useMemo(() => withoutOnePerField(declared), [declared]);
  const fixed = onePer ? { [onePer]: record[onePer] ?? '' } : {};
  const form = useRecordForm({ section, record, fixed });
  const [deleting, setDeleting] = useState(false);
  const current = form.base ?? record;
  const shown = preview(section.name, { _id: record._id, ...fixed, ...form.values });
  return (
    <>
      <div className={shown ? 'editor editor--preview' : 'editor'}>
        <div className="panel">
          {onePer && <h2>{nameOf(part, record)}</h2>}
          <RecordFields section={section} form={form} action={saveLabel}>
            {section.kind === 'collection' && !onePer && (
              <button className="button button--plain" type="button" onClick={() => setDeleting(true)}>
                Delete
              </button>
            )}
          </RecordFields>
        </div>
        {shown}
      </div>
      <History section={section} record={current} form={form} />
      {deleting && (
        <DeleteDialog
          part={part}
          record={current}
          removed={() => void navigate(screen.path)}
          close={() => setDeleting(false)}
        />
      )}
    </>
  );
}
