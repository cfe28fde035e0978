import { Icon } from '../../components/Icon.js';
import { money } from '../../lib/money.js';
import { packagePoints } from '../../lib/package-points.js';
import type { ShownRecord } from '../../lib/site.js';

interface PackageSummaryProps {
  pricingPackage: ShownRecord<'pricingPackage'>;
  /** Whether monthly plans are offered. */
  canRenew: boolean;
}

export function PackageSummary({ pricingPackage, canRenew }: PackageSummaryProps) {
  return (
    <div className="package-summary">
      <h2>{pricingPackage.packageName}</h2>
      <p>
        <span className="package-summary__amount">{money(pricingPackage.packagePrice)}</span> /month
      </p>
      <p>
        {canRenew
          ? 'Pay for one month of work, or every month until you cancel.'
          : 'One payment for one month of work. It doesn’t renew by itself.'}
      </p>
      {pricingPackage.packageDetails && <p>{pricingPackage.packageDetails}</p>}
      <ul className="package-summary__points">
        {packagePoints(pricingPackage).map((point) => (
          <li key={point}>
            <Icon name="check" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
