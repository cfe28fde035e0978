import { PageHead } from '../../components/PageHead.js';
import { singleRecord, useSite } from '../../lib/site.js';
import { PackageCard } from './PackageCard.js';
import { listShownPackages } from './packages.js';

export function Component() {
  const site = useSite();
  const packages = listShownPackages(site);
  return (
    <>
      <PageHead title="Pricing">
        {singleRecord(site.paymentText)?.howPaymentWorks ??
          'Prices are per month. You pay after placing your order.'}
      </PageHead>
      <div className="pricing wrap">
        <ul className="package-switch" aria-label="Plans">
          {packages.map(({ record, slug }) => (
            <li key={slug}>
              <a href={`#${slug}`}>{record.packageName}</a>
            </li>
          ))}
        </ul>
        <div className="packages">
          {packages.map((shown) => (
            <PackageCard key={shown.slug} {...shown} />
          ))}
        </div>
        {packages.length === 0 && <p className="empty">There are no plans available right now.</p>}
      </div>
    </>
  );
}
