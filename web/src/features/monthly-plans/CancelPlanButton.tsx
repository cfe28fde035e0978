import type { PlanSubscription } from '#libs/contracts';
import { PlanButton } from '../../workspace/monthly-plans/PlanButton.js';
import { continuesUntil } from '../../workspace/monthly-plans/words.js';

/** A cancelled plan continues until the end of the paid period. If no paid time is left or a charge failed, it ends right away. */
export function CancelPlanButton({ plan }: { plan: PlanSubscription }) {
  return (
    <PlanButton
      plan={plan}
      action="cancel"
      toast="Plan cancelled"
      isQuiet
      confirmation={{
        title: `Cancel your ${plan.packageName} plan?`,
        actionLabel: 'Cancel plan',
        cancelLabel: 'Keep plan',
        children: <p>{effectOf(plan)}</p>,
      }}
    >
      Cancel plan
    </PlanButton>
  );
}

function effectOf(plan: PlanSubscription): string {
  const until = continuesUntil(plan);
  if (until) {
    return `Your plan continues until ${until}, the end of the paid period. You won’t be charged again, and you can change your mind until then.`;
  }
  return 'You won’t be charged again. There’s no paid period left, so your plan ends right away.';
}
