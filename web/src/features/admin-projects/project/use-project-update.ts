import type { StaffProject } from '#libs/contracts';
import { callApi, type RequestOf } from '../../../lib/api.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { changeProject } from '../change-project.js';
import { saveProject } from '../save-project.js';

type Update = RequestOf<'PUT /staff-project/:id'>['body'];

export interface ProjectUpdate {
  /** What is sent, made from the project as it is stored now. */
  body(project: StaffProject): Update;
  /** What undoes it. */
  before: Update;
  /** What was done, for the offer to undo it. */
  said: string;
  /** Whether it still makes sense after somebody else has changed the project; always, by default. */
  isStillMeant?(newer: StaffProject): boolean;
}

const put = (id: string, body: Update, ifVersion?: number) =>
  callApi('PUT /staff-project/:id', { params: { id }, body, ifVersion });

/** Changes title, due date, people or labels, with an offer to undo it. */
export function useProjectUpdate(project: StaffProject) {
  const { save, saving, problem } = useSave(async ({ body, before, said, isStillMeant }: ProjectUpdate) => {
    const result = await saveProject(
      changeProject(project, (known) => put(known._id, body(known), known.version), isStillMeant),
    );
    if (typeof result === 'object') return result;
    return () => offerUndo(said, () => saveProject(put(project._id, before)));
  });
  return { update: save, saving, problem };
}
