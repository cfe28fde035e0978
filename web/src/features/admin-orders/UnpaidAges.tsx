import { Link } from 'react-router-dom';
import type { UnpaidAgeRange } from '#libs/contracts';
import { Empty } from '../../workspace/Empty.js';
import { Failure } from '../../workspace/Failure.js';
import { money } from '../../lib/money.js';
import { formatNumber } from '../../workspace/formats.js';
import { useQuery } from '../../workspace/query.js';
import { FigureTable } from './FigureTable.js';

export function UnpaidAges() {
  const ages = useQuery('GET /orders/unpaid-ages');
  return (
    <section className="panel" aria-labelledby="unpaid-heading">
      <h2 id="unpaid-heading">Unpaid orders by age</h2>
      {ages.problem ? (
        <Failure what="Error fetching orders" query={ages} />
      ) : (
        <div className="unpaid-ages" aria-busy={ages.loading}>
          {ages.data && <AgeBars ages={ages.data} />}
        </div>
      )}
    </section>
  );
}

function AgeBars({ ages }: { ages: readonly UnpaidAgeRange[] }) {
  if (ages.every(({ orders }) => orders === 0))
    return <Empty title="Every order is paid or cancelled">Unpaid orders appear here.</Empty>;
  return (
    <FigureTable
      caption="Unpaid orders by age"
      heads={['Age', 'Orders', 'Amount']}
      rows={ages}
      rowKey={({ fromDays }) => String(fromDays)}
      name={(age) => (age.orders > 0 ? <Link to={listPath(age)}>{inWords(age)}</Link> : inWords(age))}
      value={({ orders }) => orders}
      cells={({ orders, amount }) => [formatNumber(orders), money(amount)]}
      tone="waiting"
    />
  );
}

function inWords({ fromDays, toDays }: UnpaidAgeRange): string {
  return toDays === null ? `${fromDays} days or older` : `${fromDays} to ${toDays} days`;
}

function listPath({ from, to }: UnpaidAgeRange): string {
  const query = new URLSearchParams({ paymentStatus: 'UnPaid' });
  if (from) query.set('from', from);
  if (to) query.set('to', to);
  return `/total-orders?${query.toString()}`;
}
