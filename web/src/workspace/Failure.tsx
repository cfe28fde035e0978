import type { Problem } from '../lib/api.js';

interface FailureProps {
  problem: Problem;
  /** What could not be read, as documented where it is: 'Error fetching orders'. */
  what?: string;
  retry(): void;
}

/** Something could not be read. It says why, and can be tried again. */
export function Failure({ problem, what, retry }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <p>
        {what && <strong>{what}. </strong>}
        {problem.sentence}
      </p>
      <button className="button button--quiet" type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
