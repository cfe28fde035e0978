const momentFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** In UTC, because the reader's time zone is not known. */
export function formatMoment(iso: string): string {
  return `${momentFormat.format(new Date(iso))} UTC`;
}
