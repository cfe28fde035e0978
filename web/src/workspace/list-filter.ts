import { useSearchParams } from 'react-router-dom';
import { withParams } from './paging.js';

/** What a list is narrowed down by, kept in the address: Back, a reload and a copied link show the same. */
export interface ListFilter<Name extends string> {
  value(name: Name): string;
  /** Empty takes it away. Starts again at the first page. */
  set(name: Name, value: string): void;
  clear(): void;
  active: boolean;
  /** Those that are set. */
  values: Partial<Record<Name, string>>;
}

/** `pages`: names, in the address, of the pages that a change begins anew. */
export function useListFilter<Name extends string>(
  names: readonly Name[],
  pages: readonly string[] = ['page'],
): ListFilter<Name> {
  const [search, setSearch] = useSearchParams();
  const change = (values: Record<string, string | null>) =>
    setSearch(
      (before) => withParams(before, { ...Object.fromEntries(pages.map((page) => [page, null])), ...values }),
      { preventScrollReset: true, replace: true },
    );
  const value = (name: Name) => search.get(name) ?? '';
  const isSet = names.filter(value);
  return {
    value,
    set: (name, to) => change({ [name]: to }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, null]))),
    active: isSet.length > 0,
    values: Object.fromEntries(isSet.map((name) => [name, value(name)])) as Partial<Record<Name, string>>,
  };
}

/** A query of these parameters as the end of an address: empty without any. */
export function asQuery(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(values);
  return query.size > 0 ? `?${query}` : '';
}
