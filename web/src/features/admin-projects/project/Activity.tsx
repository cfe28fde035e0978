import type { StaffThreadEntry } from '#libs/contracts';
import { When } from '../../../workspace/When.js';

/** Entries that are listed. */
const shown = 8;

/** The latest staff events among the loaded entries of the thread, newest first. The conversation shows each of them in its place, too. */
export function Activity({ entries }: { entries: readonly StaffThreadEntry[] }) {
  const happened = entries.filter((entry) => entry.kind === 'staff_event').toReversed();
  if (happened.length === 0) return null;
  return (
    <section className="panel project-panel" aria-labelledby="project-activity">
      <h2 id="project-activity">Staff activity</h2>
      <ul className="project-activity">
        {happened.slice(0, shown).map(({ seq, at, text }) => (
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
