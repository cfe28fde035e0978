import '../admin-orders.css';
import { sections } from '#libs/content-model';
import { FilterSelect } from '../../../workspace/FilterSelect.js';
import { useRecords } from '../../../workspace/content-api.js';
import { DataTable } from '../../../workspace/DataTable.js';
import { Empty } from '../../../workspace/Empty.js';
import { ExportLink } from '../../../workspace/ExportLink.js';
import { counted } from '../../../workspace/formats.js';
import { type ListFilter, oneOf, useListFilter } from '../../../workspace/list-filter.js';
import { ListFilters } from '../../../workspace/ListFilters.js';
import { planStates } from '../../../workspace/monthly-plans/words.js';
import { NoMatches } from '../../../workspace/NoMatches.js';
import { Pager } from '../../../workspace/Pager.js';
import { usePaged } from '../../../workspace/paging.js';
import { pathOf } from '../../../workspace/path.js';
import { SearchField } from '../../../workspace/SearchField.js';
import { useSort } from '../../../workspace/sorting.js';
import { planColumns } from './plan-columns.js';

const size = 10;

export function MonthlyPlans() {
  const filter = useListFilter(['search', 'state', 'package']);
  const { sort, query: sorting } = useSort(['startedAt', 'nextChargeAt', 'price'], 'startedAt');
  const { state, ...others } = filter.values;
  const query = { ...others, state: oneOf(planStates, state), ...sorting };
  const list = usePaged('GET /plan-subscriptions', query, { size, resizable: true });
  const { total } = list.rows;
  return (
    <section className="panel" aria-label="Monthly plans">
      <PlanFilters filter={filter} />
      <p className="list-count" role="status">
        {total !== undefined && `${counted(total, 'monthly plan')}${filter.active ? ' found' : ''}`}
      </p>
      <DataTable
        caption="Monthly plans"
        captionHidden
        skeletonRows={list.size}
        rememberAs="monthly-plans"
        tools={<ExportLink href={pathOf('GET /plan-subscriptions/export', { query })} what="monthly plans" />}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        sort={sort}
        failure="Error fetching monthly plans"
        columns={Object.values(planColumns)}
        empty={<NoPlans filter={filter} />}
      />
      {Boolean(total) && <Pager label="monthly plans" list={list} />}
    </section>
  );
}

type PlanFilter = ListFilter<'search' | 'state' | 'package'>;

function PlanFilters({ filter }: { filter: PlanFilter }) {
  const packages = useRecords(sections.pricingPackage);
  const names = packages.data?.map(({ packageName = '' }) => packageName) ?? [];
  const chosen = filter.values.package;
  // A package that was renamed or removed may still have plans.
  const options = chosen && !names.includes(chosen) ? [...names, chosen] : names;
  return (
    <ListFilters label="Monthly plans" active={filter.active} clear={filter.clear}>
      <SearchField placeholder="Name, e-mail or package" {...filter.field('search')} />
      <FilterSelect
        label="Status"
        options={Object.entries(planStates).map(([value, { text }]) => [value, text])}
        {...filter.field('state')}
      />
      <FilterSelect
        label="Package"
        options={options.map((name) => [name, name])}
        {...filter.field('package')}
      />
    </ListFilters>
  );
}

function NoPlans({ filter }: { filter: PlanFilter }) {
  if (!filter.active) {
    return (
      <Empty title="No monthly plans yet">
        They appear here when customers choose monthly payment in the order form.
      </Empty>
    );
  }
  return <NoMatches what="monthly plans" showAll={filter.clear} />;
}
