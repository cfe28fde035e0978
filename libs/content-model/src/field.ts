/** Determines the validation (`schema.ts`) and the input of the admin form. */
type FieldKind =
  | 'text'
  | 'longText'
  /** `http:`, `https:`, `mailto:`, `tel:`, a site-relative path or a fragment. */
  | 'link'
  /** The address of a picture, in a form that `link` allows. */
  | 'image'
  /** A positive amount in dollars with at most two decimals, e.g. `"499.00"`. */
  | 'price'
  | 'choice';

export interface Field<Required extends boolean = boolean, Value extends string = string> {
  readonly kind: FieldKind;
  readonly label: string;
  readonly required: Required;
  /** No two records of the collection may share a value. Letter case and surrounding blanks are ignored. */
  readonly unique: boolean;
  /** Shown to admins under the input. */
  readonly help?: string;
  /** In characters. The form shows it; search engines and mail programs cut off the rest. */
  readonly recommendedLength?: number;
  /** For `longText`: Markdown with headings, lists, links, bold and italic. */
  readonly formatted?: boolean;
  /** Set only by the form of mail texts, which shows it for an empty value. An optional field that has this text on saving is stored as empty. */
  readonly default?: string;
  readonly options?: readonly Value[];
}

export type Fields = Readonly<Record<string, Field>>;

interface FieldOptions {
  help?: string;
  unique?: boolean;
  recommendedLength?: number;
  formatted?: boolean;
}

function requiredField(
  kind: FieldKind,
  label: string,
  { unique = false, ...hints }: FieldOptions = {},
): Field<true> {
  return { kind, label, required: true, unique, ...hints };
}

export const text = (label: string, options?: FieldOptions) => requiredField('text', label, options);
export const longText = (label: string, options?: FieldOptions) => requiredField('longText', label, options);
export const link = (label: string, options?: FieldOptions) => requiredField('link', label, options);
export const image = (label: string, options?: FieldOptions) => requiredField('image', label, options);
export const price = (label: string, options?: FieldOptions) => requiredField('price', label, options);

export function choice<const V extends string>(
  label: string,
  options: readonly V[],
  { unique = false, ...hints }: FieldOptions = {},
): Field<true, V> {
  return { kind: 'choice', label, required: true, unique, options, ...hints };
}

/** An optional field keeps its value if an update leaves it out; `""` clears it. */
export function optional<V extends string>(field: Field<boolean, V>): Field<false, V> {
  return { ...field, required: false };
}
