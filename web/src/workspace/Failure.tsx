import type { Query } from './query.js';

export interface FailureProps {
  query: Pick<Query<unknown>, 'problem' | 'retry'> & Partial<Pick<Query<unknown>, 'retrying'>>;
  /** What failed; for some lists, in the words of the specification: 'Error fetching orders'. */
  what?: string;
}

/** Renders nothing if the query has not failed. While it is retried, the failure stays, so that its button keeps the focus. */
export function Failure({ query: { problem, retry, retrying = false }, what }: FailureProps) {
  if (!problem) return null;
  return (
    <div className="failure" role="alert">
      <p>
        {what && <strong>{what}. </strong>}
        {problem.sentence}
      </p>
      <button
        className="button button--quiet"
        type="button"
        aria-disabled={retrying}
        onClick={() => retrying || retry()}
      >
        {retrying ? 'One moment' : 'Try again'}
      </button>
    </div>
  );
}
