import type { AuditEntry } from '#libs/contracts';

/**
 * Merges several lists, each newest first, into the `limit` newest entries; ids are in the order of time. Each list must have its newest
 * `limit + 1` entries, or all if there are fewer: `hasOlder` depends on this.
 */
export function newestOf(
  lists: readonly (readonly AuditEntry[])[],
  limit: number,
): { entries: AuditEntry[]; hasOlder: boolean } {
  const all = lists.flat().sort((a, b) => (a._id < b._id ? 1 : -1));
  return { entries: all.slice(0, limit), hasOlder: all.length > limit };
}
