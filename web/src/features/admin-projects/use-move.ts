import { useRef } from 'react';
import type { StaffProject } from '#libs/contracts';
import { callApi, type Problem } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { useSave } from '../../workspace/query.js';
import { useIsShown } from '../../workspace/use-is-shown.js';
import { projectStateText } from '../../workspace/projects/words.js';
import { changeResultOf } from './change-result.js';
import type { TargetState } from './state-moves.js';
import { projectNumber } from './words.js';

/**
 * Moves a project to another state. The service refuses if the project has changed since it was shown, which was in the version `shownVersion`. After
 * such a refusal, the person knows of the change.
 */
export function useMove(project: StaffProject, shownVersion = project.version) {
  const isShown = useIsShown();
  const refusal = useRef<Problem>(undefined);
  const knowsOfChange = useRef(false);
  const { save, saving, problem } = useSave(async (state: TargetState, reason?: string) => {
    const result = await changeResultOf(
      callApi('POST /staff-project/:id/state', {
        params: { id: project._id },
        body: { state, reason },
        ifVersion: knowsOfChange.current ? project.version : shownVersion,
      }),
      // The toast names the stored state, because the service can choose another state than the one asked for; see `TargetState`.
      (moved) => `${projectNumber(project)} is now: ${projectStateText(moved.state, 'staff').text}`,
    );
    refusal.current = typeof result === 'object' ? result : undefined;
    if (refusal.current?.status === 412) knowsOfChange.current = true;
    return result;
  });
  async function move(state: TargetState, reason?: string): Promise<boolean> {
    const moved = await save(state, reason);
    // On the board, the latest version may be in another column, so that the card, with its dialog and the problem, was replaced.
    if (!moved && refusal.current && !isShown.current)
      showToast(`${projectNumber(project)}: ${refusal.current.sentence}`, 'problem');
    return moved;
  }
  return { move, moving: saving, problem };
}
