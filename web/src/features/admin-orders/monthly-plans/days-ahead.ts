const dayMs = 24 * 60 * 60 * 1000;

/** The whole days after which a moment has been reached; 0 if it has. */
export function daysUntil(now: string, moment: string): number {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.parse(now)) / dayMs));
}

/** The days until the same day of the next month, or its last day if it is shorter (UTC). */
export function daysOfMonth(now: string): number {
  const from = new Date(now);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  const lastOfNext = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  const to = Date.UTC(year, month + 1, Math.min(from.getUTCDate(), lastOfNext));
  return (to - Date.UTC(year, month, from.getUTCDate())) / dayMs;
}
