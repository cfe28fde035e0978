import type { Problem } from '../lib/api.js';

interface FailureProps {
  problem: Problem;
  /** What failed; for some lists, in the words of the specification: 'Error fetching orders'. */
  what?: string;
  retry(): void;
  retrying?: boolean;
}

export function Failure({ problem, what, retry, retrying = false }: FailureProps) {
  return (
    <div className="failure" role="alert">
      <p>
        {what && <strong>{what}. </strong>}
        {problem.sentence}
      </p>
      <button className="button button--quiet" type="button" aria-disabled={retrying} onClick={retry}>
        {retrying ? 'One moment' : 'Try again'}
      </button>
    </div>
  );
}
