import { useState } from 'react';
import type { HistoryEntry } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { useAccount } from '../../../workspace/current-screen.js';
import { Loaded } from '../../../workspace/Loaded.js';
import { useQuery } from '../../../workspace/query.js';
import { When } from '../../../workspace/When.js';
import { valuesOf } from './record-form.js';

interface HistoryProps {
  section: Section;
  record: StoredRecord;
  restore(values: Values): void;
}

/** Earlier versions of the record, newest first, each of which can be restored. Loaded when it is opened. */
export function History({ section, record, restore }: HistoryProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="history" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {/* A new version has a new history. */}
      {open && <Entries key={record.version} section={section} record={record} restore={restore} />}
    </details>
  );
}

function Entries({ section, record, restore }: HistoryProps) {
  const { id: accountId } = useAccount();
  const query = useQuery('GET /history/:section/:id', { params: { section: section.name, id: record._id } });
  return (
    <Loaded query={query}>
      {(entries) => (
        <ol className="history__entries">
          {entries.map((entry, index) => (
            <li key={entry.version}>
              <div>
                <p>
                  <strong>{index === 0 ? 'Now' : `Version ${entry.version}`}</strong>{' '}
                  <span className="history__who">
                    <When at={entry.changedAt} time />, {author(entry, accountId)}
                  </span>
                </p>
                <p className="history__what">{whatChanged(section, entry, entries[index + 1])}</p>
              </div>
              {index > 0 && (
                <button
                  className="button button--quiet"
                  type="button"
                  onClick={() => restore(valuesOf(section, entry.body as Values))}
                >
                  Restore<span className="visually-hidden"> version {entry.version}</span>
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

function author({ changedBy, changedByEmail }: HistoryEntry, accountId: string): string {
  if (changedBy === null) return 'demo content';
  if (changedBy === accountId) return 'you';
  return changedByEmail ?? 'another admin';
}

function whatChanged(section: Section, entry: HistoryEntry, before: HistoryEntry | undefined): string {
  if (entry.change === 'created' || !before) return 'Created';
  if (entry.change === 'deleted') return 'Deleted';
  if (entry.change === 'restored') return 'Restored';
  const names = Object.keys(section.fields).filter((name) => entry.body[name] !== before.body[name]);
  return `Changed: ${names.map((name) => section.fields[name]?.label).join(', ')}`;
}
