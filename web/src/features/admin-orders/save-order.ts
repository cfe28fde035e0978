import type { Order } from '#libs/contracts';
import type { Answer, Problem } from '../../lib/api.js';
import { notify } from '../../lib/notices.js';

/**
 * Saves a status of an order as it was seen. Should it have changed meanwhile, it is shown as it stands, and nothing is
 * overwritten before somebody has seen that.
 */
export async function saveOrder(
  call: Promise<Answer<Order>>,
  changed: (order: Order) => void,
  notice: string,
): Promise<Problem | undefined> {
  const answer = await call;
  if (answer.ok) {
    changed(answer.value);
    notify(notice);
    return undefined;
  }
  const { status, current } = answer.problem;
  if (status !== 412 || !current) return answer.problem;
  const now = current as Order;
  changed(now);
  return {
    ...answer.problem,
    sentence: `Someone else changed this order. It’s now ${now.paymentStatus} and ${now.orderStatus}. Your change wasn’t saved. Update it again if you still want to.`,
  };
}
