import type { Order } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { ChangeResult } from '../../workspace/query.js';

/**
 * Awaits a call that changes an order at the version that was shown. If somebody else has changed the order since, nothing is overwritten, and the
 * problem describes the order's current state.
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
