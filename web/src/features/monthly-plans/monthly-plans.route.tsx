import './monthly-plans.css';
import { Link } from 'react-router-dom';
import type { PlanSubscription } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { planStates, plusTax, whatHappensNext } from '../../workspace/monthly-plans/words.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { useCustomerScreenFilter } from '../../workspace/customer-screen-filter.js';

const pageSize = 10;

const customerColumn: Column<PlanSubscription> = {
  key: 'customer',
  head: 'Customer',
  compact: 'line',
  cell: ({ customerName }) => customerName,
};

const columnsOf = (hasOtherCustomers: boolean): readonly Column<PlanSubscription>[] => [
  { key: 'plan', head: 'Plan', compact: 'title', cell: ({ packageName }) => packageName },
  ...(hasOtherCustomers ? [customerColumn] : []),
  {
    key: 'price',
    head: 'Price',
    align: 'end',
    compact: 'end',
    cell: (plan) => (
      <>
        <span className="unbroken">{money(plan.price)} a month</span>
        {plusTax(plan)}
      </>
    ),
  },
  {
    key: 'state',
    head: 'Status',
    compact: 'line',
    cell: ({ state }) => <StatusWord status={planStates[state]} />,
  },
  { key: 'next', head: 'What’s next', compact: 'line', cell: whatHappensNext },
  {
    key: 'open',
    head: 'Manage',
    align: 'end',
    compact: 'open',
    cell: ({ _id, packageName }) => (
      <Link className="unbroken data-table__open" to={`/monthly-plan/${_id}`}>
        Manage plan<span className="visually-hidden">: {packageName}</span>
      </Link>
    ),
  },
];

export function Component() {
  const list = usePaged('GET /plan-subscriptions', useCustomerScreenFilter(), { size: pageSize });
  const { id } = useAccount();
  const hasOtherCustomers = list.rows.data?.some(({ accountId }) => accountId !== id) ?? false;
  return (
    <CustomerScreen title="Monthly plans" lead="Your plans that renew every month until you cancel.">
      <section className="panel" aria-label="Monthly plans">
        <DataTable
          caption="Monthly plans"
          captionHidden
          skeletonRows={1}
          rows={list.rows}
          rowKey={({ _id }) => _id}
          failure="Error fetching monthly plans"
          columns={columnsOf(hasOtherCustomers)}
          empty={<NoPlans />}
        />
        {(list.rows.total ?? 0) > pageSize && <Pager label="monthly plans" list={list} />}
      </section>
    </CustomerScreen>
  );
}

function NoPlans() {
  return (
    <Empty
      title="No monthly plans yet"
      action={
        <Link className="button" to="/pricing/">
          See plans
        </Link>
      }
    >
      To start one, choose “Pay every month until you cancel” when you order a plan.
    </Empty>
  );
}
