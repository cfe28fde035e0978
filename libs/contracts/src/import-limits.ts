/* Without a schema: forms in the browser know them too. */

/** The most that one file may hold. */
export const importLimits = { bytes: 5 * 1024 * 1024, rows: 50_000 } as const;
/** Rows of one command. */
export const importBatch = 500;

/** Why a row of a file was not taken, as admins read it. */
export const refusalReasons = {
  noAddress: 'is not an e-mail address',
  twice: 'stands twice in the file',
  subscribed: 'is subscribed already',
  pending: 'has signed up and not confirmed yet',
  unsubscribed: 'has unsubscribed',
  suppressed: 'mail to it came back',
} as const;
