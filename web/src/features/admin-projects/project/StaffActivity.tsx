import type { StaffThreadEntry } from '#libs/contracts';
import { When } from '../../../workspace/When.js';

const maxListed = 8;

/** The latest staff events (assignments, labels, titles, ticked steps) among the loaded entries, newest first. The conversation shows them, too. */
export function StaffActivity({ entries }: { entries: readonly StaffThreadEntry[] }) {
  const events = entries.filter((entry) => entry.kind === 'staff_event').toReversed();
  if (events.length === 0) return null;
  return (
    <section className="panel project-panel" aria-labelledby="project-activity">
      <h2 id="project-activity">Staff activity</h2>
      <ul className="project-activity">
        {events.slice(0, maxListed).map(({ seq, at, text }) => (
          <li key={seq}>
            {text}{' '}
            <span className="field__hint">
              <When at={at} time />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
