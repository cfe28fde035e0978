/* No schemas here, because forms in the browser load this file. */

/** For one file. */
export const importLimits = { bytes: 5 * 1024 * 1024, rows: 50_000 } as const;
/** The most rows in one command. */
export const importBatchRows = 500;

export const refusalReasons = {
  noAddress: 'Not a valid e-mail address',
  twice: 'Duplicate in this file',
  subscribed: 'Already subscribed',
  pending: 'Signed up, but not confirmed yet',
  unsubscribed: 'Unsubscribed',
  suppressed: 'Blocked after a bounce or a spam report',
} as const;
