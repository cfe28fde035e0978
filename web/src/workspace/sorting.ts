import { useAddressParams } from './address-params.js';
import type { Sort } from './DataTable.js';

/**
 * The sort order of lists, kept in the address; by default, descending by `defaultColumn`. `query` is for the API.
 * `pages`: the page parameters that a change resets.
 */
export function useSort<By extends string>(
  choices: readonly By[],
  defaultColumn: By,
  pages: readonly string[] = ['page'],
): { sort: Sort; query: { sort: By; direction: 'asc' | 'desc' } } {
  const [search, changeParams] = useAddressParams();
  const by = choices.find((choice) => choice === search.get('sort')) ?? defaultColumn;
  const descending = search.get('direction') !== 'asc';
  const change = (to: string) =>
    changeParams({
      ...Object.fromEntries(pages.map((page) => [page, null])),
      sort: to,
      // The default column starts descending, any other column ascending.
      direction: (to === by ? descending : to !== defaultColumn) ? 'asc' : 'desc',
    });
  return { sort: { by, descending, change }, query: { sort: by, direction: descending ? 'desc' : 'asc' } };
}
