import type { EntityManager } from 'typeorm';

/** Nest's token for the seconds that a sign-in counts as fresh: long enough for the change it was made for. */
export const FRESH_SIGN_IN_SECONDS = Symbol('fresh sign-in in seconds');

/** Whether this session's person has signed in, or confirmed who they are, at most `seconds` ago. */
export async function isFreshSignIn(
  tx: EntityManager,
  sessionId: string,
  { now, seconds }: { now: Date; seconds: number },
): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    `SELECT 1 FROM sessions
     WHERE id = $1 AND ended_at IS NULL AND authenticated_at > $2::timestamptz - make_interval(secs => $3)`,
    [sessionId, now, seconds],
  );
  return rows.length > 0;
}
