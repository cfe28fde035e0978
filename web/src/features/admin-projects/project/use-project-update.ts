import type { StaffProject } from '#libs/contracts';
import { callApi, type RequestOf } from '../../../lib/api.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { changeProject } from '../change-project.js';
import { saveProject } from '../save-project.js';

type Update = RequestOf<'PUT /staff-project/:id'>['body'];

export interface ProjectUpdate {
  /** What is sent, for the project as it is stored at that moment. */
  body(project: StaffProject): Update;
  /** The values that undo the change. */
  before: Update;
  /** Says what was changed, next to the offer to undo it. */
  message: string;
  /** Whether the change still makes sense after somebody else has changed the project. If this is left out, it always does. */
  stillMakesSense?(newer: StaffProject): boolean;
}

const put = (id: string, body: Update, ifVersion: number) =>
  callApi('PUT /staff-project/:id', { params: { id }, body, ifVersion });

/** Undoes a change, unless somebody else has changed the same fact since. */
const undo = (saved: StaffProject, before: Update) =>
  changeProject(
    saved,
    ({ _id, version }) => put(_id, before, version),
    (newer) => Object.keys(before).every((fact) => isSameFact(fact as keyof Update, newer, saved)),
  );

function isSameFact(fact: keyof Update, one: StaffProject, other: StaffProject): boolean {
  return JSON.stringify(one[fact]) === JSON.stringify(other[fact]);
}

/** Changes the title, due date, people or labels, and offers to undo the change. */
export function useProjectUpdate(project: StaffProject) {
  const { save, saving, problem } = useSave(
    async ({ body, before, message, stillMakesSense }: ProjectUpdate) => {
      const answer = await changeProject(
        project,
        (known) => put(known._id, body(known), known.version),
        stillMakesSense,
      );
      if (!answer.ok) return saveProject(Promise.resolve(answer));
      return () => offerUndo(message, () => saveProject(undo(answer.value, before)));
    },
  );
  return { update: save, saving, problem };
}
