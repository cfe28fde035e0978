import { safeInteger } from '#libs/database';

/** A `bigint` column of cents. Prices have at most eleven digits. */
export const cents = safeInteger;
