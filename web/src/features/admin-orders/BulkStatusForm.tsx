import { useId, useState } from 'react';
import type { Order } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { Bulk } from '../../workspace/bulk.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { counted } from '../../workspace/formats.js';
import type { Selection } from '../../workspace/selection.js';
import { ReasonField } from './ReasonField.js';

/** The statuses and toasts of the specification. */
const targets = [
  { field: 'orderStatus', value: 'Delivered', toast: 'OrderStatus is Updated' },
  { field: 'orderStatus', value: 'Pending', toast: 'OrderStatus is Updated' },
  { field: 'paymentStatus', value: 'Paid', toast: 'PaymentStatus is Updated' },
  { field: 'paymentStatus', value: 'UnPaid', toast: 'PaymentStatus is Updated' },
] as const satisfies readonly { field: keyof Order; value: string; toast: string }[];

type Target = (typeof targets)[number];

const labels = { orderStatus: 'Order status', paymentStatus: 'Payment status' };

function updateStatus(ids: string[], target: Target, reason: string) {
  return target.field === 'orderStatus'
    ? callApi('PUT /orders/order-status', { body: { ids, orderStatus: target.value } })
    : callApi('PUT /orders/payment-status', { body: { ids, paymentStatus: target.value, reason } });
}

const missingReasonProblem = { status: 400, sentence: 'Enter a reason first.', fields: [] };

interface BulkStatusFormProps {
  bulk: Bulk;
  selection: Selection;
}

export function BulkStatusForm({ bulk, selection }: BulkStatusFormProps) {
  const id = useId();
  const [target, setTarget] = useState<Target>(targets[0]);
  const [idsToConfirm, setIdsToConfirm] = useState<readonly string[]>([]);
  const [reason, setReason] = useState('');
  const needsReason = target.field === 'paymentStatus';
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        Status to set
      </label>
      <select
        className="field__input"
        id={id}
        value={target.value}
        onChange={(event) => setTarget(targets.find(({ value }) => value === event.target.value)!)}
      >
        {Object.entries(labels).map(([field, label]) => (
          <optgroup key={field} label={label}>
            {targets
              .filter((one) => one.field === field)
              .map(({ value }) => (
                <option key={value}>{value}</option>
              ))}
          </optgroup>
        ))}
      </select>
      <button className="button button--quiet" type="button" onClick={() => setIdsToConfirm(selection.ids)}>
        Set status
      </button>
      {idsToConfirm.length > 0 && (
        <ConfirmDialog
          title={`Set ${counted(idsToConfirm.length, 'order')} to ${target.value}?`}
          actionLabel="Set status"
          close={() => {
            setIdsToConfirm([]);
            setReason('');
            selection.restoreFocus();
          }}
          confirm={async () =>
            needsReason && reason.trim() === ''
              ? missingReasonProblem
              : bulk.run({
                  ids: idsToConfirm,
                  send: (ids) => updateStatus(ids, target, reason.trim()),
                  onDone({ length }) {
                    showToast(`${target.toast}: ${counted(length, 'order')}`);
                  },
                })
          }
        >
          <p>
            The {labels[target.field].toLowerCase()} becomes {target.value}. We e-mail customers only when an
            order becomes Paid or Delivered. Each order’s timeline shows who made the change.
          </p>
          {needsReason && <ReasonField name="bulk-reason" reason={reason} change={setReason} />}
        </ConfirmDialog>
      )}
    </>
  );
}
