import { utcDay } from '#libs/runtime';

const dayMs = 86_400_000;

function isoDate(date: string): string {
  const [month, day, year] = date.split('/');
  return `${year}-${month}-${day}`;
}

export function usDate(iso: string): string {
  const [year, month, day] = iso.split('-');
  return `${month}/${day}/${year}`;
}

/**
 * The client's day (given as MM/DD/YYYY) if it is within one day of the server's (UTC), because time zones differ; otherwise the server's. Returns
 * YYYY-MM-DD.
 */
export function orderDay(clientDate: string | undefined, now: Date): string {
  const serverDay = utcDay(now);
  if (clientDate === undefined) return serverDay;
  const clientDay = isoDate(clientDate);
  const distanceMs = Date.parse(`${clientDay}T00:00:00Z`) - Date.parse(`${serverDay}T00:00:00Z`);
  const exists =
    !Number.isNaN(distanceMs) &&
    new Date(`${clientDay}T00:00:00Z`).getUTCDate() === Number(clientDate.slice(3, 5));
  return exists && Math.abs(distanceMs) <= dayMs ? clientDay : serverDay;
}
