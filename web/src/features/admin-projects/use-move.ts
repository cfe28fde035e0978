import type { StaffProject } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { useSave } from '../../workspace/query.js';
import { projectStateText } from '../../workspace/projects/words.js';
import { changeResultOf } from './change-result.js';
import type { TargetState } from './state-moves.js';
import { projectNumber } from './words.js';

/** Moves a project to another state. The service refuses if the project has changed since it was shown. */
export function useMove(project: StaffProject) {
  const { save, saving, problem } = useSave((state: TargetState, reason?: string) =>
    changeResultOf(
      callApi('POST /staff-project/:id/state', {
        params: { id: project._id },
        body: { state, reason },
        ifVersion: project.version,
      }),
      // The toast names the stored state, because the service can choose another state than the one asked for; see `TargetState`.
      (moved) => `${projectNumber(project)} is now: ${projectStateText(moved.state, 'staff').text}`,
    ),
  );
  return { move: save, moving: saving, problem };
}
