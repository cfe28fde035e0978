/** Undefined if the number is valid or empty. */
export function daysFault(typed: string, max: number): string | undefined {
  if (typed === '') return undefined;
  const days = /^\d+$/.test(typed.trim()) ? Number(typed) : 0;
  return days >= 1 && days <= max ? undefined : `Enter a number of days from 1 to ${max}`;
}
