import { useState } from 'react';
import type { DemoData } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { counted } from '../../workspace/bulk.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import type { ChangeResult } from '../../workspace/query.js';

/** Says that there is demo data, and removes it. Renders nothing without any. */
export function DemoDataCallout({ data }: { data: DemoData }) {
  const [removing, setRemoving] = useState(false);
  if (Object.values(data).every((count) => count === 0)) return null;
  return (
    <section className="demo-data" aria-labelledby="demo-data-heading">
      <h2 id="demo-data-heading">You’re looking at demo data</h2>
      <p>
        {inWords(data)} show how the site looks after some months. They’re marked “Demo”. Your own records
        aren’t affected when you remove them.
      </p>
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
          Remove demo data
        </button>
      </p>
      {removing && (
        <ConfirmDialog
          title="Remove the demo data?"
          action="Remove demo data"
          confirm={remove}
          close={() => setRemoving(false)}
        >
          <p>{inWords(data)} will be removed for good. Sales figures and charts no longer count them.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

async function remove(): Promise<ChangeResult> {
  const answer = await callApi('DELETE /demo-data');
  if (!answer.ok) return answer.problem;
  return () => showToast('Demo Data is Removed');
}

/** `"24 orders, 10 customers, 3 messages, 25 subscribers and 1 campaign"`. */
function inWords({ orders, customers, messages, subscribers, campaigns }: DemoData): string {
  return new Intl.ListFormat('en-US').format(
    [
      orders > 0 && counted(orders, 'order', 'orders'),
      customers > 0 && counted(customers, 'customer', 'customers'),
      messages > 0 && counted(messages, 'message', 'messages'),
      subscribers > 0 && counted(subscribers, 'subscriber', 'subscribers'),
      campaigns > 0 && counted(campaigns, 'campaign', 'campaigns'),
    ].filter((words) => words !== false),
  );
}
