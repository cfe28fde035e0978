import type { PlanSubscription } from '#libs/contracts';
import { PlanButton } from '../../../workspace/monthly-plans/PlanButton.js';
import { continuesUntil } from '../../../workspace/monthly-plans/words.js';

export function PlanActions({ plan }: { plan: PlanSubscription }) {
  const subject = `${plan.packageName} for ${plan.customerName || 'a deleted account'}`;
  const end = continuesUntil(plan);
  const until = end ? ` until ${end}` : '';
  return (
    <section className="panel" aria-labelledby="plan-actions">
      <h2 id="plan-actions">Actions</h2>
      <div className="plan-actions">
        <PlanButton plan={plan} action="retry" toast="Payment attempt started">
          Try payment again
        </PlanButton>
        <PlanButton
          plan={plan}
          action="resume"
          toast={plan.state === 'ending' ? 'Cancellation undone' : 'Plan resumed'}
        >
          {plan.state === 'ending' ? 'Undo cancellation' : 'Resume plan'}
        </PlanButton>
        <PlanButton
          plan={plan}
          action="pause"
          toast="Plan paused"
          isQuiet
          confirmation={{
            title: `Pause ${subject}?`,
            actionLabel: 'Pause plan',
            children: <p>Nothing is charged until you resume the plan. We’ll e-mail the customer.</p>,
          }}
        >
          Pause plan
        </PlanButton>
        <PlanButton
          plan={plan}
          action="cancel"
          toast="Plan cancelled"
          isQuiet
          confirmation={{
            title: `Cancel ${subject}?`,
            actionLabel: 'Cancel plan',
            cancelLabel: 'Keep plan',
            children: (
              <p>
                {until
                  ? `The plan continues${until}, the end of the paid period. Before that, you or the customer can undo the cancellation.`
                  : 'There’s no paid period left, so the plan ends right away.'}{' '}
                The customer won’t be charged again.
              </p>
            ),
          }}
        >
          Cancel at the end of the paid period
        </PlanButton>
        <PlanButton
          plan={plan}
          action="cancel_now"
          toast="Plan ended"
          isQuiet
          confirmation={{
            title: `End ${subject} now?`,
            actionLabel: 'End plan now',
            cancelLabel: 'Keep plan',
            children: (
              <p>
                The plan ends right away, even if it’s already paid{until}. You can’t undo this. To return
                money, refund the charge on its order.
              </p>
            ),
          }}
        >
          Cancel now
        </PlanButton>
      </div>
    </section>
  );
}
