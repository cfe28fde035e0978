import { Link } from 'react-router-dom';
import { formatOrderNumber, type Order } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { type Column, DataTable } from '../DataTable.js';
import { Empty } from '../Empty.js';
import { formatOrderDay } from '../formats.js';
import { StatusWord } from '../orders/StatusWord.js';
import { type StatusText, totalOf } from '../orders/words.js';
import { Pager } from '../Pager.js';
import { usePaged } from '../paging.js';

const pageSize = 12;
export const chargesPageParam = 'charges';

interface PlanChargesProps {
  planId: string;
  /** Customers' screens call a package a plan. */
  packageHead: 'Package' | 'Plan';
  statusOf(order: Order): StatusText;
  link: { text: string; to(order: Order): string };
}

/** Newest first. */
export function PlanCharges({ planId, packageHead, statusOf, link }: PlanChargesProps) {
  const list = usePaged('GET /orders', { subscription: planId }, { size: pageSize, param: chargesPageParam });
  const columns: readonly Column<Order>[] = [
    {
      key: 'cycle',
      head: 'Month',
      alwaysShown: true,
      compact: 'title',
      cell: ({ renewal, orderDate }) => (
        <>
          {renewal && `Month ${renewal.cycle}, `}
          <span className="unbroken">{formatOrderDay(orderDate)}</span>
        </>
      ),
    },
    {
      key: 'package',
      head: packageHead,
      compact: 'line',
      cell: (order) => `${order.packageName}, ${formatOrderNumber(order)}`,
    },
    {
      key: 'amount',
      head: 'Amount',
      align: 'end',
      compact: 'end',
      cell: (order) => <span className="unbroken">{money(totalOf(order))}</span>,
    },
    {
      key: 'payment',
      head: 'Payment',
      compact: 'line',
      cell: (order) => <StatusWord status={statusOf(order)} />,
    },
    {
      key: 'open',
      head: 'Order',
      align: 'end',
      compact: 'open',
      cell: (order) => (
        <Link className="unbroken data-table__open" to={link.to(order)}>
          {link.text}
          <span className="visually-hidden">
            : {formatOrderNumber(order)}, {formatOrderDay(order.orderDate)}
          </span>
        </Link>
      ),
    },
  ];
  return (
    <section className="panel" aria-labelledby="plan-charges">
      <h2 id="plan-charges">Charges</h2>
      <DataTable
        caption="Charges"
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching charges"
        columns={columns}
        empty={<Empty title="No charges yet">Each monthly charge appears here with its receipt.</Empty>}
      />
      {(list.rows.total ?? 0) > pageSize && <Pager label="charges" list={list} />}
    </section>
  );
}
