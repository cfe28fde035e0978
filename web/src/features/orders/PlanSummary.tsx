import { Icon } from '../../components/Icon.js';
import { dollars } from '../../lib/money.js';
import type { Shown } from '../../lib/site.js';

const pointNames = [
  'packagePointOne',
  'packagePointTwo',
  'packagePointThree',
  'packagePointFour',
  'packagePointFive',
  'packagePointSix',
  'packagePointSeven',
] as const;

/** What is about to be ordered, as the pricing page has it. */
export function PlanSummary({ plan }: { plan: Shown<'pricingPackage'> }) {
  const points = pointNames.map((name) => plan[name]?.trim()).filter(Boolean);
  return (
    <div className="plan-summary">
      <h2>{plan.packageName}</h2>
      <p className="plan-summary__price">
        <span className="plan-summary__amount">{dollars(plan.packagePrice)}</span> /month
      </p>
      {plan.packageDetails && <p>{plan.packageDetails}</p>}
      <ul className="plan-summary__points">
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
