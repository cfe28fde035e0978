import type { Bulk } from './bulk.js';

/** The rows that a bulk change left unchanged, with the reasons. The live region is always rendered, so that screen readers announce them. */
export function BulkFailures({ bulk: { report, dismiss } }: { bulk: Bulk }) {
  return (
    <div role="status">
      {report && (
        <div className="bulk-failures">
          <p>
            {report.failures.length} of {report.total} unchanged:
          </p>
          <ul>
            {report.failures.map(({ id, name, reason }) => (
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
