import { useEffect } from 'react';
import { Link, useParams } from 'react-router-dom';
import { defineSingleton, text } from '#libs/content-model';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecord, useRecords } from '../../workspace/content-api.js';
import { When } from '../../workspace/When.js';
import { RecordEditor } from './content/RecordEditor.js';
import { useRecordForm } from './content/record-form.js';

/**
 * The PayPal e-mail belongs to the orders service and is not content. It is edited like content, so that an admin is warned before overwriting a
 * colleague's change of the account that receives payments through Payments Standard.
 */
const section = defineSingleton({
  name: 'paypalEmail',
  labels: { one: 'PayPal e-mail', many: 'PayPal e-mails' },
  fields: {
    paypalEmail: text('PayPal e-mail', {
      help: 'With PayPal Payments Standard, payments go to the account with this address. Payments already started go to the previous one.',
    }),
  },
  routes: {
    list: '/paypal-email',
    one: '/paypal-email/:id',
    create: '/add-email',
    update: '/paypal-email/:id',
  },
  toasts: { created: 'Paypal Email Added', updated: 'Paypal Email Updated' },
});

/** Until the address is stored, shows a form that adds it; afterwards, the address and a link to the form that changes it. */
export function PaypalEmail() {
  const stored = useRecords(section);
  return (
    <Loaded query={stored}>
      {([record]) =>
        record ? (
          <section className="panel" aria-label="PayPal e-mail">
            <p>
              PayPal e-mail: <strong>{record.paypalEmail}</strong>
            </p>
            <p className="buttons">
              <Link className="button" to={`/paypal-email/${record._id}`}>
                Update Paypal Email
              </Link>
            </p>
          </section>
        ) : (
          <AddForm />
        )
      }
    </Loaded>
  );
}

function AddForm() {
  const form = useRecordForm({ section });
  // The stored address takes the place of the form.
  useEffect(() => focusContentIfFocusIsLost, []);
  return (
    <div className="editor">
      <RecordEditor section={section} form={form} actionLabel="Add Paypal Email" />
    </div>
  );
}

export function PaypalEmailEditor() {
  const { id = '' } = useParams();
  const stored = useRecord(section, id);
  return <Loaded query={stored}>{(record) => <EditForm key={id} record={record} />}</Loaded>;
}

function EditForm({ record }: { record: StoredRecord }) {
  const form = useRecordForm({ section, record });
  return (
    <>
      <p>
        Last changed <When at={(form.base ?? record).updatedAt} time />.
      </p>
      <div className="editor">
        <RecordEditor section={section} form={form} actionLabel="Update Paypal Email" />
      </div>
    </>
  );
}
