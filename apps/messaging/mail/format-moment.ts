const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A moment as people write it, in UTC: a mail does not know where it is read. */
export function moment(iso: string): string {
  return `${format.format(new Date(iso))} UTC`;
}
