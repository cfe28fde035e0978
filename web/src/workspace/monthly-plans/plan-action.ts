import type { PlanSubscription, SubscriptionAction } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { newIdempotencyKey } from '../../lib/form.js';
import { showToast } from '../../lib/toasts.js';
import { type ChangeResult, useRefetch } from '../query.js';

interface Request {
  params: { id: string };
  idempotencyKey: string;
}

const calls = {
  cancel: (request: Request) =>
    callApi('POST /plan-subscription/:id/cancel', { ...request, body: { when: 'at_end' } }),
  cancel_now: (request: Request) =>
    callApi('POST /plan-subscription/:id/cancel', { ...request, body: { when: 'now' } }),
  resume: (request: Request) => callApi('POST /plan-subscription/:id/resume', request),
  pause: (request: Request) => callApi('POST /plan-subscription/:id/pause', request),
  retry: (request: Request) => callApi('POST /plan-subscription/:id/retry', request),
};

/** The actions that need no page of the provider. */
export type PlanAction = Exclude<SubscriptionAction, 'change' | 'approve'>;

/** The toast is shown once the screen shows the change. */
export function usePlanAction(
  plan: PlanSubscription,
): (action: PlanAction, toast: string) => Promise<ChangeResult> {
  const refetch = useRefetch();
  return async (action, toast) => {
    const answer = await calls[action]({
      params: { id: plan._id },
      idempotencyKey: newIdempotencyKey(),
    });
    if (answer.ok) return () => showToast(toast);
    // The plan has changed since the screen read it.
    if (answer.problem.status === 409) await refetch();
    return answer.problem;
  };
}
