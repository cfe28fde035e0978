import type { StaffProject } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { ChangeResult } from '../../workspace/query.js';

/**
 * Turns the answer of `call` into a result for `useSave`. If the call is refused (412), the problem says that somebody else has changed the project.
 * The screen then shows the latest version.
 */
export async function changeResultOf(
  call: Promise<Answer<StaffProject, StaffProject>>,
  toast?: (project: StaffProject) => string,
): Promise<ChangeResult> {
  const answer = await call;
  if (answer.ok) return () => toast && showToast(toast(answer.value));
  if (answer.problem.status !== 412) return answer.problem;
  return {
    ...answer.problem,
    sentence:
      'Someone else changed this project in the meantime. You now see the latest version; your change wasn’t saved. Try again if you still want it.',
  };
}
