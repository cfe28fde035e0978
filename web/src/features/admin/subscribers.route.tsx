import { FilterSelect, optionsOf } from '../../workspace/FilterSelect.js';
import { oneOf, useListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSort } from '../../workspace/sorting.js';
import { AdminScreen } from './AdminScreen.js';
import { ImportSubscribers } from './ImportSubscribers.js';
import { subscriberStatusWords } from '../../workspace/subscriber-words.js';
import { SubscriberTable } from './SubscriberTable.js';

/** As the specification says. */
const pageSize = 5;

export function Component() {
  return (
    <AdminScreen lead="People who signed up for the newsletter, or were added to it.">
      <Subscribers />
    </AdminScreen>
  );
}

function Subscribers() {
  const filter = useListFilter(['search', 'status']);
  const { sort, query } = useSort(['createdAt', 'email'], 'createdAt');
  const { search, status } = filter.values;
  const listQuery = { ...query, search, status: oneOf(subscriberStatusWords, status) };
  return (
    <>
      <ListFilters label="Subscribers" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="E-mail address" {...filter.field('search')} />
        <FilterSelect label="Status" options={optionsOf(subscriberStatusWords)} {...filter.field('status')} />
      </ListFilters>
      <SubscriberTable
        size={pageSize}
        listOptions={{
          filter: listQuery,
          filterIsActive: filter.active,
          clearFilter: filter.clear,
          sort,
        }}
      />
      <ImportSubscribers />
    </>
  );
}
