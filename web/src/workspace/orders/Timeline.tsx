import './timeline.css';
import type { TimelineEntry } from '#libs/contracts';
import { Empty } from '../Empty.js';
import { Failure } from '../Failure.js';
import type { Query } from '../query.js';
import { When } from '../When.js';

type Entry = Pick<TimelineEntry, '_id' | 'at' | 'text' | 'by'> & Partial<Pick<TimelineEntry, 'evidence'>>;

/** Oldest first. Admins also see who acted and, for an order, the evidence. */
export function Timeline({ entries }: { entries: Query<Entry[]> }) {
  if (entries.problem) return <Failure query={entries} />;
  if (entries.data?.length === 0) return <Empty title="No activity yet" />;
  return (
    <ol className="timeline" aria-busy={entries.loading}>
      {entries.data?.map(({ evidence: { reason, ...evidence } = {}, ...entry }) => (
        <li className="timeline__entry" key={entry._id}>
          <p>{entry.text}</p>
          <p className="timeline__when">
            <When at={entry.at} time />
            {entry.by && <> · {entry.by}</>}
          </p>
          {typeof reason === 'string' && <p className="timeline__reason">Reason: {reason}</p>}
          <Evidence details={Object.entries(evidence)} />
        </li>
      ))}
    </ol>
  );
}

function Evidence({ details }: { details: [name: string, value: unknown][] }) {
  if (details.length === 0) return null;
  return (
    <details className="timeline__evidence">
      <summary>Details</summary>
      <dl>
        {details.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
