/** Transforms a `bigint` column, which the driver reads as text. Only for values up to 2^53. Null stays null. */
export const safeInteger = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
