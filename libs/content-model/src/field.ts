/**
 * A field of a content section, as plain data. What a value must satisfy is derived from `kind` in `schema.ts`;
 * how it is edited is derived from it by the admin form.
 */
type FieldKind =
  | 'text'
  | 'longText'
  /** An address: `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. */
  | 'link'
  /** An address as above that shows a picture. */
  | 'image'
  /** A positive amount in dollars as a numeric string with at most two decimals, e.g. `"499.00"`. */
  | 'price'
  | 'choice';

export interface Field<Required extends boolean = boolean, Value extends string = string> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly required: Required;
  /** Values must differ between the records of the collection, letter case aside. */
  readonly unique: boolean;
  /** Sentence under the input, for whoever edits it. */
  readonly help?: string;
  /** Longer is allowed, but is cut off where it is shown: a hint for whoever edits it, in characters. */
  readonly advisedLength?: number;
  /** For `choice`: the documented values. */
  readonly options?: readonly Value[];
}

export type Fields = Readonly<Record<string, Field>>;

interface FieldOptions {
  help?: string;
  unique?: boolean;
  advisedLength?: number;
}

function required(
  kind: FieldKind,
  label: string,
  { unique = false, ...hints }: FieldOptions = {},
): Field<true> {
  return { kind, label, required: true, unique, ...hints };
}

export const text = (label: string, options?: FieldOptions) => required('text', label, options);
export const longText = (label: string, options?: FieldOptions) => required('longText', label, options);
export const link = (label: string, options?: FieldOptions) => required('link', label, options);
export const image = (label: string, options?: FieldOptions) => required('image', label, options);
export const price = (label: string, options?: FieldOptions) => required('price', label, options);

export function choice<const V extends string>(
  label: string,
  options: readonly V[],
  { unique = false, ...hints }: FieldOptions = {},
): Field<true, V> {
  return { kind: 'choice', label, required: true, unique, options, ...hints };
}

/** The same field, but it may be left out on create, keeps its value when left out of an update, and `""` clears it. */
export function optional<V extends string>(field: Field<boolean, V>): Field<false, V> {
  return { ...field, required: false };
}
