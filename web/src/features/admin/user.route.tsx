import { useParams } from 'react-router-dom';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord } from '../../workspace/content-api.js';
import { adminRole, adminUsers } from './admin-users.js';
import { AdminScreen } from './AdminScreen.js';
import { RecordFields } from './content/RecordFields.js';
import { useRecordForm } from './content/record-form.js';

export function Component() {
  const { id = '' } = useParams();
  return (
    <AdminScreen>
      <Read key={id} id={id} />
    </AdminScreen>
  );
}

function Read({ id }: { id: string }) {
  const query = useRecord(adminUsers.section, id);
  return <Loaded query={query}>{(record) => <Edit record={record} />}</Loaded>;
}

function Edit({ record }: { record: StoredRecord }) {
  const { section, saveLabel } = adminUsers;
  const form = useRecordForm({ section, record, fixed: adminRole });
  return (
    <div className="editor">
      <RecordFields section={section} form={form} action={saveLabel} />
    </div>
  );
}
