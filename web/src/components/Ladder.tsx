/**
 * The site's motif: lines of a ranking over time, one of which rises. `risen`: it has reached the top. `gap`: it is broken, because something is
 * missing. `loading`: it rises repeatedly.
 */
export type LadderForm = 'risen' | 'gap' | 'loading';

const others = [
  'M40 14H178C211 14 211 40 244 40H306',
  'M0 40H112C145 40 145 66 178 66H306',
  'M22 92H46C79 92 79 118 112 118H178C211 118 211 92 244 92H306',
  'M86 66H112C145 66 145 92 178 92C211 92 211 118 244 118H306',
];
const rising = 'M0 118H46C79 118 79 92 112 92C145 92 145 40 178 40C211 40 211 14 244 14H300';

export function Ladder({ form }: { form: LadderForm }) {
  return (
    <svg className={`ladder ladder--${form}`} viewBox="0 0 320 132" aria-hidden="true" focusable="false">
      <path className="ladder__others" d={others.join('')} />
      <path className="ladder__clear" d={rising} pathLength="100" />
      <path className="ladder__rising" d={rising} pathLength="100" />
      <circle className="ladder__top" cx="306" cy="14" r="10" />
    </svg>
  );
}
