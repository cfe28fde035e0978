import { useState } from 'react';
import { findSection } from '#libs/content-model';
import { type AnswerOf, callApi } from '../../../lib/api.js';
import { newIdempotencyKey } from '../../../lib/form.js';
import { useRefreshSite } from '../../../lib/site.js';
import { offerUndelete } from '../../../workspace/bulk.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { capitalize } from '../../../workspace/formats.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { contentScreens } from '../content-screens.js';

export function RemoveDemoContentDialog({ close }: { close(): void }) {
  const refreshSite = useRefreshSite();
  const [idempotencyKey] = useState(newIdempotencyKey);
  return (
    <ConfirmDialog
      title="Remove demo content from your pages?"
      actionLabel="Remove demo content"
      close={close}
      confirm={async () => {
        const answer = await callApi('DELETE /demo-content', { idempotencyKey });
        if (!answer.ok) return answer.problem;
        refreshSite();
        const { ids } = answer.value;
        if (ids.length === 0) return undefined;
        return () =>
          offerUndelete({
            text: 'Demo content removed from your pages',
            ids,
            restoreAddress: 'POST /demo-content/restore',
            restoredText: 'Demo content restored',
            onRestored: refreshSite,
          });
      }}
    >
      <p>
        What you’ve changed stays. The parts below will be removed from your pages. You can undo this right
        afterwards.
      </p>
      <DemoRecords />
    </ConfirmDialog>
  );
}

function DemoRecords() {
  const demo = useQuery('GET /demo-content');
  return (
    <Loaded query={demo}>
      {(sections) => (
        <ul className="demo-records">
          {inScreenOrder(sections).map(({ section, records }) => (
            <li key={section}>
              <details>
                <summary>{sectionLabel(section, records.length)}</summary>
                <ul>
                  {records.map(({ _id, name }) => (
                    <li key={_id}>{name}</li>
                  ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

const screenOrder = contentScreens.flatMap(({ parts }) => parts.map(({ section }) => section.name));

const inScreenOrder = (sections: AnswerOf<'GET /demo-content'>) =>
  sections.toSorted((a, b) => screenOrder.indexOf(a.section) - screenOrder.indexOf(b.section));

/** `5 testimonials`; without a number for a singleton. */
function sectionLabel(name: string, count: number): string {
  const section = findSection(name);
  if (!section) return name;
  const { kind, labels } = section;
  if (kind === 'singleton') return capitalize(labels.one);
  return `${count} ${count === 1 ? labels.one : labels.many}`;
}
