import { Loaded } from '../../workspace/Loaded.js';
import { useRecords } from '../../workspace/content-api.js';
import { adminRoleValues, adminUsersPart } from './admin-users.js';
import { AdminInvitations } from './AdminInvitations.js';
import { AdminScreen } from './AdminScreen.js';
import { RecordEditor } from './content/RecordEditor.js';
import { RecordList } from './content/RecordList.js';
import { useRecordForm } from './content/record-form.js';

export function Component() {
  return (
    <AdminScreen lead="People who can use the admin panel.">
      <AdminUsers />
    </AdminScreen>
  );
}

function AdminUsers() {
  const { section, addHeading, listHeading } = adminUsersPart;
  const query = useRecords(section);
  const form = useRecordForm({ section, fixedValues: adminRoleValues });
  return (
    <div className="collection">
      <section className="panel" aria-labelledby="users-heading">
        <h2 id="users-heading">{listHeading}</h2>
        <Loaded query={query}>{(records) => <RecordList part={adminUsersPart} records={records} />}</Loaded>
      </section>
      <div className="collection__forms">
        <section className="panel" aria-labelledby="add-user-heading">
          <h2 id="add-user-heading">{addHeading}</h2>
          <RecordEditor section={section} form={form} actionLabel={addHeading} />
        </section>
        <AdminInvitations />
      </div>
    </div>
  );
}
