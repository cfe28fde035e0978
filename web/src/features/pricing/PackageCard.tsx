import { Link } from 'react-router-dom';
import { Icon } from '../../components/Icon.js';
import { money } from '../../lib/money.js';
import type { ShownPackage } from './packages.js';

/** A package on the pricing page. In wide windows it is a column, whose rows line up with those of the other packages. */
export function PackageCard({ record, slug, points }: ShownPackage) {
  const marked = slug === 'premium';
  return (
    <article
      className={marked ? 'package package--marked inverse' : 'package'}
      id={slug}
      aria-labelledby={`${slug}-name`}
    >
      <h2 id={`${slug}-name`}>{record.packageName}</h2>
      <p className="package__details">{record.packageDetails}</p>
      <p className="package__price">
        <span className="package__amount">{money(record.packagePrice)}</span>
        <span className="package__period">/month</span>
      </p>
      <p className="package__order">
        <Link className={marked ? 'button' : 'button button--quiet'} to={`/order-now/${record._id}`}>
          {record.packageButtonText}
        </Link>
      </p>
      <ul className="package__points">
        {points.map((point, index) => (
          <li key={index}>
            <Icon name="check" />
            <span>
              <BoldNumbers text={point} />
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

function BoldNumbers({ text }: { text: string }) {
  return text
    .split(/(\d[\d,.]*\d|\d)/)
    .map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part));
}
