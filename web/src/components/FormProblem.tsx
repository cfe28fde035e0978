import type { Problem } from '../lib/api.js';

/** Why the form was refused. */
export function FormProblem({ problem }: { problem: Problem | undefined }) {
  return (
    <div role="alert" className="form-problem-region">
      {problem && <p className="form-problem">{problem.sentence}</p>}
    </div>
  );
}
