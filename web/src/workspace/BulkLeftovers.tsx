import type { Bulk } from './bulk.js';

/** What stayed as it was when several were to be changed, and why. The region is always there, so that it is heard. */
export function BulkLeftovers({ bulk: { report, dismiss } }: { bulk: Bulk }) {
  return (
    <div role="status">
      {report && (
        <div className="leftovers">
          <p>
            {report.left.length} of {report.asked} stayed as {report.asked === 1 ? 'it was' : 'they were'}:
          </p>
          <ul>
            {report.left.map(({ id, name, reason }) => (
              <li key={id}>
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
          <button className="button button--plain" type="button" onClick={dismiss}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
