import { useParams } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord } from '../../workspace/content-api.js';
import { adminRole, adminUsers } from './admin-users.js';
import { AdminScreen } from './AdminScreen.js';
import { RecordFields } from './content/RecordFields.js';
import { useRecordForm } from './content/record-form.js';

export function Component() {
  const { id = '' } = useParams();
  return (
    <AdminScreen title={adminUsers.editTitle} trail={[{ to: '/add-user', text: 'Admin users' }]}>
      {(account) => <Read key={id} id={id} account={account} />}
    </AdminScreen>
  );
}

function Read({ id, account }: { id: string; account: Account }) {
  const query = useRecord(adminUsers.section, id);
  return <Loaded query={query}>{(record) => <Edit record={record} account={account} />}</Loaded>;
}

function Edit({ record, account }: { record: StoredRecord; account: Account }) {
  const { section, save } = adminUsers;
  const form = useRecordForm({ section, record, accountId: account.id, fixed: adminRole });
  return (
    <div className="editor">
      <RecordFields section={section} form={form} action={save} />
    </div>
  );
}
