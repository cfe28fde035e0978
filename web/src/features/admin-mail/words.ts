import type { Mail } from '#libs/contracts';

/** Why the mail cannot be resent; only for mails that cannot. */
export function reasonNotToResend({ state, campaignId }: Mail): string {
  if (campaignId !== null) return 'Newsletters are sent once';
  return state === 'queued' || state === 'sending' ? 'Not sent yet' : 'One-time link; can’t be resent';
}
