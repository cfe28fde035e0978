import type { Problem } from '../lib/api.js';

interface FailureProps {
  problem: Problem;
  /** What failed; for some lists, in the words of the product's specification: 'Error fetching orders'. */
  what?: string;
  retry(): void;
}

/** Shown if something could not be read or changed: the reason, and a button to try again. */
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
