/** What a field holds. It determines how `schema.ts` validates the field, and which input the admin form shows. */
type FieldKind =
  | 'text'
  | 'longText'
  /** An address: `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. */
  | 'link'
  /** The address (as for `link`) of a picture. */
  | 'image'
  /** A positive amount in dollars as a numeric string with at most two decimals, e.g. `"499.00"`. */
  | 'price'
  | 'choice';

/** A field of a content section, as plain data. */
export interface Field<Required extends boolean = boolean, Value extends string = string> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly required: Required;
  /** Values must differ between the records of the collection. Letter case and surrounding blanks are ignored. */
  readonly unique: boolean;
  /** A hint for admins, shown under the input. */
  readonly help?: string;
  /** In characters; the form shows it to admins. Longer values are allowed, but search engines and mail programs cut them off. */
  readonly recommendedLength?: number;
  /** For `longText`: shown with headings, lists and links, and written in Markdown. */
  readonly formatted?: boolean;
  /** What the form shows for an empty value. If an optional field still shows this when the form is saved, it is stored as empty. */
  readonly default?: string;
  /** For `choice`: the values that it accepts. */
  readonly options?: readonly Value[];
}

export type Fields = Readonly<Record<string, Field>>;

interface FieldOptions {
  help?: string;
  unique?: boolean;
  recommendedLength?: number;
  formatted?: boolean;
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

/** Makes a field optional: it may be missing in a create, keeps its value if missing in an update, and `""` clears it. */
export function optional<V extends string>(field: Field<boolean, V>): Field<false, V> {
  return { ...field, required: false };
}
