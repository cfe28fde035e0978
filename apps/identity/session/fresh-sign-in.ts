import type { EntityManager } from 'typeorm';

/** How long a sign-in counts as fresh: long enough for the change it was made for. */
export const FRESH_SECONDS = 15 * 60;

/** Whether this session's person has signed in a moment ago. */
export async function isFreshSignIn(tx: EntityManager, sessionId: string, now: Date): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    `SELECT 1 FROM sessions
     WHERE id = $1 AND ended_at IS NULL AND created_at > $2::timestamptz - make_interval(secs => $3)`,
    [sessionId, now, FRESH_SECONDS],
  );
  return rows.length > 0;
}
