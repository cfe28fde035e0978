import { safeInteger } from '#libs/database';

/** The transformer of a `bigint` column of cents. Prices have at most eleven digits, so a `number` is exact. */
export const cents = safeInteger;
