import type { AuditEntry } from '#libs/contracts';

/** The newest entries of several lists, each newest first and one longer than asked for where there are older ones. */
export function newestOf(
  lists: readonly (readonly AuditEntry[])[],
  limit: number,
): { entries: AuditEntry[]; older: boolean } {
  const all = lists.flat().sort((a, b) => (a._id < b._id ? 1 : -1));
  return { entries: all.slice(0, limit), older: all.length > limit };
}
