/**
 * The site's one motif: a list of ranked lines in which one has risen. Decoration only, hidden from assistive
 * technology.
 * - `small`: the list at rest, for the footer and page heads
 * - `gap`: a list with a line missing, where a page is not there
 * - `loading`: the line climbs again and again while something is awaited
 */
export type LadderForm = 'small' | 'gap' | 'loading';

const lengths = [236, 268, 204, 248, 176, 216];
const pitch = 34;

export function Ladder({ form }: { form: LadderForm }) {
  const gapAt = form === 'gap' ? 2 : -1;
  return (
    <svg className={`ladder ladder--${form}`} viewBox="0 0 320 200" aria-hidden="true" focusable="false">
      {lengths.map((length, rank) => (
        <g key={rank} transform={`translate(0 ${rank * pitch + 8})`}>
          <g className={rowClass(rank, gapAt)}>
            <rect x="0.75" y="0.75" width="14.5" height="14.5" rx="4" className="ladder__rank" />
            <rect x="32.75" y="3.75" width={length} height="8.5" rx="4.25" className="ladder__line" />
          </g>
        </g>
      ))}
    </svg>
  );
}

function rowClass(rank: number, gapAt: number): string {
  if (rank === gapAt) return 'ladder__row ladder__row--missing';
  return rank === 0 && gapAt < 0 ? 'ladder__row ladder__row--risen' : 'ladder__row';
}
