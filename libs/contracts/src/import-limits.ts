/* Without a schema: forms in the browser know them too. */

/** The most that one file may hold. */
export const importLimits = { bytes: 5 * 1024 * 1024, rows: 50_000 } as const;
/** Rows of one command. */
export const importBatch = 500;

/** Why a row of a file was not taken, as admins read it. */
export const refusalReasons = {
  noAddress: 'Not a valid e-mail address',
  twice: 'Duplicate in this file',
  subscribed: 'Already subscribed',
  pending: 'Signed up, but not confirmed yet',
  unsubscribed: 'Unsubscribed',
  suppressed: 'E-mails bounce',
} as const;
