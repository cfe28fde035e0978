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

/** The value if it is one of the choices. An address typed by hand may hold anything, and the list is then shown unfiltered. */
export function oneOf<Choice extends string>(
  choices: Readonly<Record<Choice, unknown>>,
  value: string | undefined,
): Choice | undefined {
  const isChoice = (text: string): text is Choice => Object.hasOwn(choices, text);
  return value !== undefined && isChoice(value) ? value : undefined;
}
