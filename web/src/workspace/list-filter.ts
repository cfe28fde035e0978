import { useAddressParams } from './address-params.js';

export interface FilterField {
  value: string;
  change(value: string): void;
}

/** The address keeps the values. */
export interface ListFilter<Name extends string> {
  /** The props of a filter's field. An empty value removes the filter. A change goes back to the first page. */
  field(name: Name): FilterField;
  clear(): void;
  active: boolean;
  values: Partial<Record<Name, string>>;
}

/** `pageParams`: the page parameters that a change resets. */
export function useListFilter<Name extends string>(
  names: readonly Name[],
  pageParams: readonly string[] = ['page'],
): ListFilter<Name> {
  const [params, changeParams] = useAddressParams();
  const change = (values: Record<string, string | null>) =>
    changeParams({ ...Object.fromEntries(pageParams.map((param) => [param, null])), ...values });
  const value = (name: Name) => params.get(name) ?? '';
  const usedNames = names.filter(value);
  return {
    field: (name) => ({ value: value(name), change: (to) => change({ [name]: to }) }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, null]))),
    active: usedNames.length > 0,
    values: Object.fromEntries(usedNames.map((name) => [name, value(name)])) as Partial<Record<Name, string>>,
  };
}

/** Undefined if the value is not one of the choices, as in an address typed by hand. */
export function oneOf<Choice extends string>(
  choices: Readonly<Record<Choice, unknown>>,
  value: string | undefined,
): Choice | undefined {
  const isChoice = (text: string): text is Choice => Object.hasOwn(choices, text);
  return value !== undefined && isChoice(value) ? value : undefined;
}
