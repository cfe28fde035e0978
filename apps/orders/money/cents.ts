/** Transforms a `bigint` column of cents to a number. Prices have at most eleven digits, which is a safe integer. */
export const cents = { to: (value: number) => value, from: (value: string) => Number(value) };
