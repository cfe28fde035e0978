import { type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Empty } from '../../workspace/Empty.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord, type Values } from '../../workspace/content-api.js';
import { AdminScreen } from './AdminScreen.js';
import { History } from './content/History.js';
import { RecordEditor } from './content/RecordEditor.js';
import { DeleteDialog } from './content/RecordList.js';
import { useRecordForm } from './content/record-form.js';
import { NoSuchScreen } from './NoSuchScreen.js';
import { PublicPageLink } from './content/PublicPageLink.js';
import {
  type ContentScreen,
  findContentScreen,
  nameOf,
  onePerFieldOf,
  type ScreenPart,
  withoutOnePerField,
} from './content-screens.js';

/** Shows unsaved values as visitors would see them. `app` passes it in, because features do not import each other. */
export type PreviewOf = (section: string, record: { _id: string } & Values) => ReactNode;

export function ContentEdit({ previewOf }: { previewOf: PreviewOf }) {
  const { pathname } = useLocation();
  const found = findContentScreen(pathname);
  if (!found?.part || !found.id) return <NoSuchScreen />;
  const { screen, part, id } = found;
  return (
    <AdminScreen
      title={part.editTitle}
      tabTitle={part.editTitle}
      actions={<PublicPageLink section={part.section} />}
      breadcrumbs={[
        { to: '/setting', text: 'Settings' },
        { to: screen.path, text: screen.label },
      ]}
    >
      <RecordLoader key={id} screen={screen} part={part} id={id} previewOf={previewOf} />
    </AdminScreen>
  );
}

interface RecordLoaderProps {
  screen: ContentScreen;
  part: ScreenPart;
  id: string;
  previewOf: PreviewOf;
}

function RecordLoader(props: RecordLoaderProps) {
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
      {(record) => <EditForm {...props} record={record} />}
    </Loaded>
  );
}

function EditForm({ screen, part, previewOf, record }: RecordLoaderProps & { record: StoredRecord }) {
  const { section: fullSection, saveLabel } = part;
  const navigate = useNavigate();
  // If the section has this field, each record stands for one option, such as a page: the option is fixed, the form shows it as a heading, and
  // the record cannot be deleted.
  const onePerField = onePerFieldOf(fullSection);
  const section = useMemo(() => withoutOnePerField(fullSection), [fullSection]);
  const fixedValues = onePerField ? { [onePerField]: record[onePerField] ?? '' } : {};
  const form = useRecordForm({ section, record, fixedValues });
  const [deleting, setDeleting] = useState(false);
  const current = form.base ?? record;
  const preview = previewOf(section.name, { _id: record._id, ...fixedValues, ...form.values });
  return (
    <>
      <div className={preview ? 'editor editor--preview' : 'editor'}>
        <div className="panel">
          {onePerField && <h2>{nameOf(part, record)}</h2>}
          <RecordEditor section={section} form={form} actionLabel={saveLabel}>
            {section.kind === 'collection' && !onePerField && (
              <button className="button button--plain" type="button" onClick={() => setDeleting(true)}>
                Delete
              </button>
            )}
          </RecordEditor>
        </div>
        {preview}
      </div>
      <History section={section} record={current} form={form} />
      {deleting && (
        <DeleteDialog
          part={part}
          record={record.version > current.version ? record : current}
          onDeleted={() => void navigate(screen.path)}
          close={() => setDeleting(false)}
        />
      )}
    </>
  );
}
