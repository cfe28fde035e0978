/** Transforms a `bigint` column, which the driver reads as text, to a number. Only for values up to 2^53. */
export const safeInteger = { to: (value: number) => value, from: (value: string) => Number(value) };
