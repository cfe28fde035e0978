import { useEffect, useRef, useState } from 'react';
import type { StaffProject } from '#libs/contracts';
import { callApi, type Problem } from '../../../lib/api.js';
import { useRefetch } from '../../../workspace/query.js';
import { changeProject } from '../change-project.js';
import {
  type ChecklistChange,
  type LocalIds,
  itemsOf,
  newLocalIds,
  type Step,
  withLocalIds,
} from './step-changes.js';

/**
 * A change is shown immediately and saved in the background. Changes are saved one at a time, and each is applied to the list that the server has at
 * that moment. So people can tick several steps quickly, and what colleagues tick meanwhile is kept.
 */
export function useChecklist(project: StaffProject) {
  const refetch = useRefetch();
  const [pending, setPending] = useState<readonly ChecklistChange[]>([]);
  const [problem, setProblem] = useState<Problem>();
  // A new step keeps the id that this browser gave it: later changes and the focus depend on that id.
  const [localIds, setLocalIds] = useState<LocalIds>({});
  const latest = useRef({ project, localIds });
  useEffect(() => {
    if (project.version >= latest.current.project.version) latest.current.project = project;
  }, [project]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  // While a change is being sent, `stored` is not updated: a newer list may already contain the change's new step, with an id that is not yet known
  // here, and the step would be shown twice.
  const [sending, setSending] = useState(false);
  const [stored, setStored] = useState(project.checklist);
  if (!sending && stored !== project.checklist) setStored(project.checklist);

  async function save(change: ChecklistChange): Promise<Problem | undefined> {
    let sent: Step[] = [];
    setSending(true);
    const answer = await changeProject(latest.current.project, (known) => {
      sent = change(withLocalIds(known.checklist, latest.current.localIds));
      return callApi('PUT /staff-project/:id/checklist', {
        params: { id: known._id },
        body: { items: itemsOf(sent, latest.current.localIds) },
        ifVersion: known.version,
      });
    });
    setSending(false);
    if (!answer.ok) return answer.problem;
    const ids = { ...latest.current.localIds, ...newLocalIds(sent, answer.value.checklist) };
    latest.current = { project: answer.value, localIds: ids };
    setLocalIds(ids);
    await refetch();
    return undefined;
  }

  return {
    steps: pending.reduce<Step[]>((steps, change) => change(steps), withLocalIds(stored, localIds)),
    problem,
    /** Resolves with a problem if the change could not be saved. */
    change(change: ChecklistChange): Promise<Problem | undefined> {
      setProblem(undefined);
      setPending((before) => [...before, change]);
      const saved = queue.current.then(async () => {
        const fault = await save(change);
        setPending((before) => before.filter((one) => one !== change));
        if (fault) setProblem(fault);
        return fault;
      });
      queue.current = saved.then(() => undefined);
      return saved;
    },
  };
}
