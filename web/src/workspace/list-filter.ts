import { useSearchParams } from 'react-router-dom';
import { withParams } from './paging.js';

/** The filter of a list, kept in the address, so that Back, a reload and a copied link show the same. */
export interface ListFilter<Name extends string> {
  value(name: Name): string;
  /** An empty value removes the filter. Goes back to the first page. */
  set(name: Name, value: string): void;
  clear(): void;
  active: boolean;
  /** The filters that are set. */
  values: Partial<Record<Name, string>>;
}

/** `pages`: the page parameters that a change resets. */
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

/**
 * The value if it is one of the choices. An address typed by hand may hold anything; the list is not filtered
 * then.
 */
export function oneOf<Choice extends string>(
  choices: Readonly<Record<Choice, unknown>>,
  value: string | undefined,
): Choice | undefined {
  const isChoice = (text: string): text is Choice => Object.hasOwn(choices, text);
  return value !== undefined && isChoice(value) ? value : undefined;
}
