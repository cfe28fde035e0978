import type { Problem } from '../lib/api.js';

/** Why the form was not accepted. What was typed stays in it. */
export function FormProblem({ problem }: { problem: Problem | undefined }) {
  return (
    <div role="alert" className="form-problem-region">
      {problem && <p className="form-problem">{problem.sentence}</p>}
    </div>
  );
}
