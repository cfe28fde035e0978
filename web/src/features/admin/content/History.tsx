import { useRef, useState } from 'react';
import type { HistoryEntry } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';
import { type RecordForm, valuesOf } from './record-form.js';
import { changedFields, TextChanges } from './TextChanges.js';

interface HistoryProps {
  section: Section;
  record: StoredRecord;
  form: RecordForm;
}

/** Newest first. Each earlier version that differs from the record can be restored. Loaded when the history is opened. */
export function History(props: HistoryProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="history fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {/* The key loads the history again when a new version has been saved. */}
      {open && <Entries key={props.record.version} {...props} />}
    </details>
  );
}

function Entries({ section, record, form }: HistoryProps) {
  const [restoring, setRestoring] = useState<HistoryEntry>();
  const { id: accountId } = useAccount();
  const query = useQuery('GET /history/:section/:id', { params: { section: section.name, id: record._id } });
  return (
    <Loaded query={query}>
      {(entries) => (
        <>
          <ol className="history__entries">
            {entries.map((entry, index) => (
              <li key={entry.version}>
                <div className="history__version">
                  <p>
                    <strong>{index === 0 ? 'Current version' : `Version ${entry.version}`}</strong>{' '}
                    <span className="history__who">
                      <When at={entry.changedAt} time />, {author(entry, accountId)}
                    </span>
                  </p>
                  <WhatChanged section={section} entry={entry} before={entries[index + 1]} />
                </div>
                {index > 0 && changedFields(section, record, entry.body as Values).length > 0 && (
                  <button className="button button--quiet" type="button" onClick={() => setRestoring(entry)}>
                    Restore<span className="visually-hidden"> version {entry.version}</span>
                  </button>
                )}
              </li>
            ))}
          </ol>
          {restoring && (
            <RestoreDialog
              section={section}
              record={record}
              form={form}
              entry={restoring}
              close={() => setRestoring(undefined)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

function author({ changedBy, changedByEmail }: HistoryEntry, accountId: string): string {
  if (changedBy === null) return 'demo content';
  if (changedBy === accountId) return 'you';
  return changedByEmail ?? 'another admin';
}

interface WhatChangedProps {
  section: Section;
  entry: HistoryEntry;
  before: HistoryEntry | undefined;
}

function WhatChanged({ section, entry, before }: WhatChangedProps) {
  if (entry.change !== 'updated' || !before) {
    const change = { created: 'Created', updated: 'Changed', deleted: 'Deleted', restored: 'Restored' };
    return <p className="history__what">{change[entry.change]}</p>;
  }
  const from = before.body as Values;
  const to = entry.body as Values;
  const labels = changedFields(section, from, to).map((name) => section.fields[name]?.label);
  return (
    <details className="history__what fold">
      <summary>Changed: {labels.join(', ')}</summary>
      <TextChanges section={section} from={from} to={to} />
    </details>
  );
}

interface RestoreDialogProps extends HistoryProps {
  entry: HistoryEntry;
  close(): void;
}

/** The conflict, the first invalid field, or else the button below the problem: all are far above the history. */
function focusRefusal(): void {
  const places =
    '.conflict, .record-form [aria-invalid], .form-problem-region:not(:empty) + .buttons [type=submit]';
  document.querySelector<HTMLElement>(places)?.focus();
}

function RestoreDialog({ section, form, entry, record, close }: RestoreDialogProps) {
  const values = valuesOf(section, entry.body as Values);
  const isTried = useRef(false);
  return (
    <ConfirmDialog
      title={`Restore version ${entry.version}?`}
      actionLabel="Restore version"
      close={() => {
        close();
        // Nothing behind the dialog can be focused before.
        if (isTried.current) focusRefusal();
      }}
      confirm={async () => {
        isTried.current = true;
        // The dialog closes even if this fails, because the form shows the problem.
        await form.save(values);
        return undefined;
      }}
    >
      <p>
        The {section.labels.one} will change as shown. The current version stays in the history.
        {form.unsaved && ' Your unsaved changes will be lost.'}
      </p>
      <TextChanges section={section} from={valuesOf(section, record)} to={values} />
    </ConfirmDialog>
  );
}
