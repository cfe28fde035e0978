import { useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { changeProject } from '../change-project.js';
import { changeResultOf } from '../change-result.js';
import { canMerge, type Facts, factsOf, mergedFacts } from './facts.js';

const put = (id: string, body: Facts, ifVersion: number) =>
  callApi('PUT /staff-project/:id', { params: { id }, body, ifVersion });

/** Keeps what others have changed since `opened` was read. `replaced` is the project just before the change. */
async function changeFacts(opened: StaffProject, wanted: Facts) {
  let replaced = opened;
  const answer = await changeProject(
    opened,
    (known) => {
      replaced = known;
      return put(known._id, mergedFacts(known, opened, wanted), known.version);
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
    async (wanted: Facts, message: (saved: StaffProject) => string) => {
      const { answer, replaced } = await changeFacts(opened, wanted);
      if (answer.ok) {
        const before = factsOf(replaced, wanted);
        return () =>
          offerUndo(message(answer.value), () =>
            changeResultOf(changeFacts(answer.value, before).then((undone) => undone.answer)),
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
