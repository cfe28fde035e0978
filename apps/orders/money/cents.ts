import { safeInteger } from '#libs/database';

/** The transformer of a `bigint` column of cents. Prices have at most eleven digits, so a `number` holds even the sum of many exactly. */
export const cents = safeInteger;
