import type { StaffProject } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';

type Change = (project: StaffProject) => Promise<Answer<StaffProject, StaffProject>>;

const maxAttempts = 4;

/**
 * If somebody else has saved a newer version meanwhile, the change is applied to that one instead. The change is given up, and the 412 returned, if
 * `stillMakesSense` returns false for the newer version, or after `maxAttempts` attempts.
 */
export async function changeProject(
  project: StaffProject,
  change: Change,
  stillMakesSense: (newer: StaffProject) => boolean = () => true,
): Promise<Answer<StaffProject, StaffProject>> {
  let known = project;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await change(known);
    if (answer.ok) return answer;
    const { status, current } = answer.problem;
    if (status !== 412 || !current || attempt === maxAttempts || !stillMakesSense(current)) return answer;
    known = current;
  }
}
