import { useState } from 'react';
import { Failure } from './Failure.js';
import type { Query } from './query.js';

/** The failure stays while the data is being read again, so that its button keeps the focus. Renders nothing if the read has not failed. */
export function ReadFailure({
  query: { problem, retry, retrying },
}: {
  query: Pick<Query<unknown>, 'problem' | 'retry' | 'retrying'>;
}) {
  const [lastProblem, setLastProblem] = useState(problem);
  if (problem && problem !== lastProblem) setLastProblem(problem);
  const shown = problem ?? (retrying ? lastProblem : undefined);
  return shown && <Failure problem={shown} retry={retry} retrying={retrying} />;
}
