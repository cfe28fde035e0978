import { useAddressParams } from './address-params.js';
import type { Sort } from './DataTable.js';

/** Kept in the address; by default, descending by `defaultColumn`. `pageParams`: the page parameters that a change resets. */
export function useSort<By extends string>(
  choices: readonly By[],
  defaultColumn: By,
  pageParams: readonly string[] = ['page'],
): { sort: Sort; query: { sort: By; direction: 'asc' | 'desc' } } {
  const [params, changeParams] = useAddressParams();
  const by = choices.find((choice) => choice === params.get('sort')) ?? defaultColumn;
  const descending = params.get('direction') !== 'asc';
  const change = (to: string) =>
    changeParams({
      ...Object.fromEntries(pageParams.map((param) => [param, null])),
      sort: to,
      direction: (to === by ? descending : to !== defaultColumn) ? 'asc' : 'desc',
    });
  return { sort: { by, descending, change }, query: { sort: by, direction: descending ? 'desc' : 'asc' } };
}
