/** A `bigint` column of numbers that JavaScript represents exactly, perhaps nullable. */
export const safeInteger = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
