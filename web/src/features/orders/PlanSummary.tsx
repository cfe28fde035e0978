import { Icon } from '../../components/Icon.js';
import { money } from '../../lib/money.js';
import { packagePoints } from '../../lib/package-points.js';
import type { ShownRecord } from '../../lib/site.js';

interface PlanSummaryProps {
  plan: ShownRecord<'pricingPackage'>;
  /** Whether the plan can be paid every month. */
  canRenew: boolean;
}

/** The chosen plan, as on the pricing page. */
export function PlanSummary({ plan, canRenew }: PlanSummaryProps) {
  return (
    <div className="plan-summary">
      <h2>{plan.packageName}</h2>
      <p>
        <span className="plan-summary__amount">{money(plan.packagePrice)}</span> /month
      </p>
      <p>
        {canRenew
          ? 'Pay for one month of work, or every month until you cancel.'
          : 'One payment for one month of work. It doesn’t renew by itself.'}
      </p>
      {plan.packageDetails && <p>{plan.packageDetails}</p>}
      <ul className="plan-summary__points">
        {packagePoints(plan).map((point) => (
          <li key={point}>
            <Icon name="check" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
