import { useSearchParams } from 'react-router-dom';
import type { Sort } from './DataTable.js';
import { withParams } from './paging.js';

/**
 * By what lists are sorted, kept in the address; descending by `usual` unless somebody says otherwise. `query` is what the API takes. Sorting anew starts at
 * the first page of these lists.
 */
export function useSort<By extends string>(
  choices: readonly By[],
  usual: By,
  pages: readonly string[] = ['page'],
): { sort: Sort; query: { sort: By; direction: 'asc' | 'desc' } } {
  const [search, setSearch] = useSearchParams();
  const by = choices.find((choice) => choice === search.get('sort')) ?? usual;
  const descending = search.get('direction') !== 'asc';
  const change = (to: string) =>
    setSearch(
      (before) =>
        withParams(before, {
          ...Object.fromEntries(pages.map((page) => [page, null])),
          sort: to,
          // Names begin with A, moments and amounts with the greatest.
          direction: (to === by ? descending : to !== usual) ? 'asc' : 'desc',
        }),
      { preventScrollReset: true, replace: true },
    );
  return { sort: { by, descending, change }, query: { sort: by, direction: descending ? 'desc' : 'asc' } };
}
