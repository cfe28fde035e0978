import { useState } from 'react';
import type { DemoDataCounts } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { counted } from '../../workspace/formats.js';
import type { ChangeResult } from '../../workspace/query.js';

/** Renders nothing if there is no demo data. */
export function DemoDataCallout({ counts }: { counts: DemoDataCounts }) {
  const [removing, setRemoving] = useState(false);
  if (Object.values(counts).every((count) => count === 0)) return null;
  return (
    <section className="demo-data" aria-labelledby="demo-data-heading">
      <h2 id="demo-data-heading">You’re looking at demo data</h2>
      <p>
        It’s marked “Demo”, and shows what the admin panel looks like after a few months: {inWords(counts)}.
        Removing it doesn’t affect your own records, or the text and pictures on your pages.
      </p>
      <p className="buttons">
        <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
          Remove demo data
        </button>
      </p>
      {removing && (
        <ConfirmDialog
          title="Remove demo data?"
          actionLabel="Remove demo data"
          confirm={remove}
          close={() => setRemoving(false)}
        >
          <p>
            {inWords(counts)} will be permanently removed. Sales figures and charts will no longer include
            demo data. The text and pictures on your pages stay.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

async function remove(): Promise<ChangeResult> {
  const answer = await callApi('DELETE /demo-data');
  if (!answer.ok) return answer.problem;
  return () => showToast('Demo data removed');
}

/** `"24 orders, 20 projects, 10 customers, 3 messages, 25 subscribers, and 1 campaign"`. */
function inWords({ orders, projects, customers, messages, subscribers, campaigns }: DemoDataCounts): string {
  return new Intl.ListFormat('en-US').format(
    [
      orders > 0 && counted(orders, 'order'),
      projects > 0 && counted(projects, 'project'),
      customers > 0 && counted(customers, 'customer'),
      messages > 0 && counted(messages, 'message'),
      subscribers > 0 && counted(subscribers, 'subscriber'),
      campaigns > 0 && counted(campaigns, 'campaign'),
    ].filter((words) => words !== false),
  );
}
