import { DataTable } from '../../../workspace/DataTable.js';
import { Pager } from '../../../workspace/Pager.js';
import { isListShown, usePaged } from '../../../workspace/paging.js';
import { planColumns } from './plan-columns.js';

const size = 5;

const { package: packageColumn, price, state, next, started, open } = planColumns;
const columns = [{ ...packageColumn, compact: 'title' }, price, state, next, started, open] as const;

/** Renders nothing while the plans load for the first time, or if there are none. */
export function CustomerPlans({ customerId }: { customerId: string }) {
  const list = usePaged('GET /plan-subscriptions', { customer: customerId }, { size, param: 'plans' });
  if (!isListShown(list.rows)) return null;
  return (
    <section className="panel" aria-labelledby="customer-plans">
      <h2 id="customer-plans">Monthly plans</h2>
      <DataTable
        caption="Monthly plans"
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching monthly plans"
        columns={columns}
        empty={null}
      />
      {(list.rows.total ?? 0) > size && <Pager label="monthly plans" list={list} />}
    </section>
  );
}
