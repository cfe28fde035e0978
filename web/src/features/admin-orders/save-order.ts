import type { Order } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { ChangeResult } from '../../workspace/query.js';

/**
 * Saves a change of an order as it was seen. Should it have changed meanwhile, nothing is overwritten before somebody has seen that: the
 * problem says how it stands now.
 */
export async function saveOrder(call: Promise<Answer<Order, Order>>, toast: string): Promise<ChangeResult> {
  const answer = await call;
  if (answer.ok) return () => showToast(toast);
  const { status, current } = answer.problem;
  if (status !== 412 || !current) return answer.problem;
  return {
    ...answer.problem,
    sentence: `Someone else changed this order. It’s now ${current.paymentStatus} and ${current.orderStatus}. Your change wasn’t saved. Update it again if you still want to.`,
  };
}
