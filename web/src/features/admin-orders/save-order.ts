import type { Order } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { ChangeResult } from '../../workspace/query.js';

/** If somebody else has changed the order since it was shown, nothing is overwritten, and the problem describes the order's current state. */
export async function saveOrder(call: Promise<Answer<Order, Order>>, toast: string): Promise<ChangeResult> {
  const answer = await call;
  if (answer.ok) return () => showToast(toast);
  const { status, current } = answer.problem;
  if (status !== 412 || !current) return answer.problem;
  return {
    ...answer.problem,
    sentence: `Someone else changed this order. Its payment status is now ${current.paymentStatus}, and its order status is ${current.orderStatus}. Your change wasn’t saved. Update it again if you still want to.`,
  };
}
