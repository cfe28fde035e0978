const dayMs = 24 * 60 * 60 * 1000;

/** Rounded up to whole days; 0 if the moment has passed. */
export function daysUntil(now: string, moment: string): number {
  return Math.max(0, Math.ceil((Date.parse(moment) - Date.parse(now)) / dayMs));
}

/** In UTC. If the next month is too short, until its last day. */
export function daysUntilSameDayNextMonth(now: string): number {
  const from = new Date(now);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
  const lastOfNext = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  const to = Date.UTC(year, month + 1, Math.min(from.getUTCDate(), lastOfNext));
  return (to - Date.UTC(year, month, from.getUTCDate())) / dayMs;
}
