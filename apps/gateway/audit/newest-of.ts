import type { AuditEntry } from '#libs/contracts';

/**
 * Merges lists that are sorted newest first. Each must contain the newest `limit + 1` entries of its service, or all if there are fewer: `hasOlder`
 * depends on this. Ids are in the order of time.
 */
export function newestOf(
  lists: readonly (readonly AuditEntry[])[],
  limit: number,
): { entries: AuditEntry[]; hasOlder: boolean } {
  const all = lists.flat().sort((a, b) => (a._id < b._id ? 1 : -1));
  return { entries: all.slice(0, limit), hasOlder: all.length > limit };
}
