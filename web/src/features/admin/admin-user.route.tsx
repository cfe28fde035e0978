import { useParams } from 'react-router-dom';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord } from '../../workspace/content-api.js';
import { adminRoleValues, adminUsersPart } from './admin-users.js';
import { AdminScreen } from './AdminScreen.js';
import { RecordEditor } from './content/RecordEditor.js';
import { useRecordForm } from './content/record-form.js';

export function Component() {
  const { id = '' } = useParams();
  return (
    <AdminScreen>
      <AdminUserLoader key={id} id={id} />
    </AdminScreen>
  );
}

function AdminUserLoader({ id }: { id: string }) {
  const query = useRecord(adminUsersPart.section, id);
  return <Loaded query={query}>{(record) => <EditForm record={record} />}</Loaded>;
}

function EditForm({ record }: { record: StoredRecord }) {
  const { section, saveLabel } = adminUsersPart;
  const form = useRecordForm({ section, record, fixedValues: adminRoleValues });
  return (
    <div className="editor">
      <RecordEditor section={section} form={form} actionLabel={saveLabel} />
    </div>
  );
}
