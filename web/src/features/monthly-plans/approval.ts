import { useRef, useState } from 'react';
import { callApi, type Problem, type RequestOf } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { useRefetch } from '../../workspace/query.js';
import { stoppedAfterMs, useResetOnBack } from '../../workspace/reset-on-back.js';

type Change = RequestOf<'POST /plan-subscription/:id/change'>['body'];

interface Approval {
  /** Opens the provider's page at which the customer approves the change. */
  openApprovalPage(change: Change): Promise<void>;
  opening: boolean;
  problem: Problem | undefined;
}

export function useChangeApproval(planId: string): Approval {
  const refetch = useRefetch();
  const keyFor = useIdempotencyKeys();
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useResetOnBack(() => {
    clearTimeout(timer.current);
    setOpening(false);
  });
  async function openApprovalPage(change: Change): Promise<void> {
    if (opening) return;
    setOpening(true);
    setProblem(undefined);
    const answer = await callApi('POST /plan-subscription/:id/change', {
      params: { id: planId },
      body: change,
      idempotencyKey: keyFor(change),
    });
    // The button stays busy while the provider's page is loading.
    if (answer.ok) {
      timer.current = setTimeout(() => setOpening(false), stoppedAfterMs);
      return window.location.assign(answer.value.action);
    }
    setOpening(false);
    setProblem(answer.problem);
    // The plan or the price has changed meanwhile, so the screen is out of date.
    if (answer.problem.status === 409) await refetch();
  }
  return { openApprovalPage, opening, problem };
}
