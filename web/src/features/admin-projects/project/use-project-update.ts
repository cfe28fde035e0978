import { useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { changeProject } from '../change-project.js';
import { changeResultOf } from '../change-result.js';
import { canMerge, mergedUpdate, type ProjectUpdate, updateBackTo } from './project-update.js';

const putProject = (id: string, body: ProjectUpdate, ifVersion: number) =>
  callApi('PUT /staff-project/:id', { params: { id }, body, ifVersion });

/** Keeps what others have changed since `opened` was read. `replaced` is the project just before the change. */
async function updateProject(opened: StaffProject, wanted: ProjectUpdate) {
  let replaced = opened;
  const answer = await changeProject(
    opened,
    (known) => {
      replaced = known;
      return putProject(known._id, mergedUpdate(known, opened, wanted), known.version);
    },
    (newer) => canMerge(newer, opened, wanted),
  );
  return { answer, replaced };
}

export function useProjectUpdate(project: StaffProject) {
  // The project as it was when the form opened. After a conflict, the version that somebody else has saved. A form whose value
  // equals the one in `opened` has nothing to save.
  const [opened, setOpened] = useState(project);
  const { save, saving, problem } = useSave(
    async (wanted: ProjectUpdate, message: (saved: StaffProject) => string) => {
      const { answer, replaced } = await updateProject(opened, wanted);
      if (answer.ok) {
        const undoUpdate = updateBackTo(replaced, wanted);
        return () =>
          offerUndo(message(answer.value), () =>
            changeResultOf(updateProject(answer.value, undoUpdate).then((undone) => undone.answer)),
          );
      }
      const { current } = answer.problem;
      // The problem says that somebody else has changed the project. Saving again replaces what they have saved.
      if (current && !canMerge(current, opened, wanted)) setOpened(current);
      return changeResultOf(Promise.resolve(answer));
    },
  );
  return { opened, update: save, saving, problem };
}
