import { type ReactNode, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Section } from '#libs/content-model';
import type { HistoryEntry } from '#libs/contracts';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { Empty } from '../../workspace/Empty.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord, type Values } from '../../workspace/content-api.js';
import { AdminScreen } from './AdminScreen.js';
import { History } from './content/History.js';
import { RecordFields } from './content/RecordFields.js';
import { DeleteDialog } from './content/RecordList.js';
import { type RecordForm, useRecordForm, valuesOf } from './content/record-form.js';
import { TextChanges } from './content/TextChanges.js';
import { NoSuchScreen } from './NoSuchScreen.js';
import { ViewPage } from './content/ViewPage.js';
import { type ContentScreen, contentScreenAt, type Part } from './screens.js';

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
      tab={part.editTitle}
      actions={<ViewPage section={part.section} />}
      trail={[
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
  const { section, save } = part;
  const navigate = useNavigate();
  const form = useRecordForm({ section, record });
  const [deleting, setDeleting] = useState(false);
  /** The earlier version that the dialog shows. */
  const [restoring, setRestoring] = useState<HistoryEntry>();
  const current = form.base ?? record;
  const shown = preview(section.name, { _id: record._id, ...form.values });
  return (
    <>
      <div className={shown ? 'editor editor--preview' : 'editor'}>
        <div className="panel">
          <RecordFields section={section} form={form} action={save}>
            {section.kind === 'collection' && (
              <button className="button button--plain" type="button" onClick={() => setDeleting(true)}>
                Delete
              </button>
            )}
          </RecordFields>
        </div>
        {shown}
      </div>
      <History section={section} record={current} restore={setRestoring} />
      {restoring && (
        <RestoreDialog
          section={section}
          form={form}
          entry={restoring}
          record={current}
          close={() => setRestoring(undefined)}
        />
      )}
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

interface RestoreDialogProps {
  section: Section;
  form: RecordForm;
  entry: HistoryEntry;
  /** The record as it is stored now. */
  record: StoredRecord;
  close(): void;
}

/** Shows how the record will change before an earlier version replaces it. */
function RestoreDialog({ section, form, entry, record, close }: RestoreDialogProps) {
  const values = valuesOf(section, entry.body as Values);
  return (
    <ConfirmDialog
      title={`Restore version ${entry.version}?`}
      action="Restore version"
      close={close}
      confirm={async () => {
        await form.save(values);
        return undefined;
      }}
    >
      <p>
        The {section.labels.one} will change like this. Today’s version stays in the history.
        {form.unsaved && ' What you typed and didn’t save will be lost.'}
      </p>
      <TextChanges section={section} from={record} to={values} />
    </ConfirmDialog>
  );
}
