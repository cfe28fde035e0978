import type { Order } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import type { ChangeResult } from '../../workspace/query.js';

/**
 * Turns the answer of `call` into a result for `useSave`. If the call is refused (412), somebody else has changed the order, and the problem
 * describes its current state.
 */
export async function changeResultOf(
  call: Promise<Answer<Order, Order>>,
  toast: string,
): Promise<ChangeResult> {
  const answer = await call;
  if (answer.ok) return () => showToast(toast);
  const { status, current } = answer.problem;
  if (status !== 412 || !current) return answer.problem;
  return {
    ...answer.problem,
    sentence: `Someone else changed this order. Its payment status is now ${current.paymentStatus}, and its order status is ${current.orderStatus}. Your change wasn’t saved. Update it again if you still want to.`,
  };
}
