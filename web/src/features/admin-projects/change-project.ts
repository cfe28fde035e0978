import type { StaffProject } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';

type Change = (project: StaffProject) => Promise<Answer<StaffProject, StaffProject>>;

const attempts = 4;

/**
 * Changes a project at its version. If somebody else has saved a newer version meanwhile, the change is applied to that one. Nothing is
 * overwritten if `isStillMeant` returns false for the newer version, or if there was a newer version at each of the `attempts`.
 */
export async function changeProject(
  project: StaffProject,
  change: Change,
  isStillMeant: (newer: StaffProject) => boolean = () => true,
): Promise<Answer<StaffProject, StaffProject>> {
  let known = project;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await change(known);
    if (answer.ok) return answer;
    const { status, current } = answer.problem;
    if (status !== 412 || !current || attempt === attempts || !isStillMeant(current)) return answer;
    known = current;
  }
}
