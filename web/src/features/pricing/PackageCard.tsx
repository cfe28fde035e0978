import { Link } from 'react-router-dom';
import { Icon } from '../../components/Icon.js';
import { dollars } from '../../lib/money.js';
import type { ShownPackage } from './packages.js';

export function PackageCard({ record, slug, points }: ShownPackage) {
  const marked = slug === 'premium';
  return (
    <article
      className={marked ? 'package package--marked inverse' : 'package'}
      id={slug}
      aria-labelledby={`${slug}-name`}
    >
      <h2 id={`${slug}-name`}>{record.packageName}</h2>
      <p className="package__price">
        <span className="package__amount">{dollars(record.packagePrice)}</span>
        <span className="package__period">/month</span>
      </p>
      <p className="package__details">{record.packageDetails}</p>
      <ul className="package__points">
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
      <p className="package__order">
        <Link className={marked ? 'button' : 'button button--quiet'} to={`/order-now/${record._id}`}>
          {record.packageButtonText}
        </Link>
      </p>
    </article>
  );
}
