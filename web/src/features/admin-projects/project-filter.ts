import type { ProjectState } from '#libs/contracts';
import { useAddressParams } from '../../workspace/address-params.js';
import { oneOf, useListFilter } from '../../workspace/list-filter.js';
import type { FilterOf } from '../../workspace/paging.js';
import type { ProjectView } from './project-view.js';

/** In display order. `open` means every state except accepted and closed. */
export const stateChoices: Record<'open' | ProjectState, true> = {
  open: true,
  waiting_for_brief: true,
  in_progress: true,
  changes_requested: true,
  delivered: true,
  on_hold: true,
  accepted: true,
  closed: true,
};

type Query = FilterOf<'GET /staff-projects'>;
const boardFilters = ['search', 'person', 'label', 'overdue', 'customer'] as const;
type FilterName = 'state' | (typeof boardFilters)[number];
type FilterValues = Partial<Record<FilterName, string>>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Leaves out an invalid state, person, customer or `overdue`, as in an address typed by hand. */
export function queryOf({ search, state, person, label, overdue, customer }: FilterValues): Query {
  const choice = oneOf(stateChoices, state);
  const isValidPerson = person !== undefined && (person === 'me' || person === 'nobody' || uuid.test(person));
  return {
    search,
    ...(choice === 'open' ? { open: true } : { state: choice }),
    assignee: isValidPerson ? person : undefined,
    label,
    overdue: overdue === 'true' || undefined,
    customer: customer !== undefined && uuid.test(customer) ? customer : undefined,
  };
}

const sortings = { active: true, due: true, created: true } as const;
export type Sorting = keyof typeof sortings;

/**
 * Keeps the filter and the sort order in the address; `query` has both for the API. The board ignores the state, because its columns are the states.
 */
export function useProjectFilter(view: ProjectView) {
  const filter = useListFilter<FilterName>(view === 'board' ? boardFilters : ['state', ...boardFilters]);
  const [address, changeAddress] = useAddressParams();
  const sort: Sorting = oneOf(sortings, address.get('sort') ?? undefined) ?? 'active';
  return {
    ...filter,
    sort,
    sortBy: (by: Sorting) => changeAddress({ page: null, sort: by === 'active' ? null : by }),
    query: { ...queryOf(filter.values), sort },
  };
}

export type ProjectFilter = ReturnType<typeof useProjectFilter>;
