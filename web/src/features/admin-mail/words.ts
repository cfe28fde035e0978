import type { Mail } from '#libs/contracts';

/** Call it only for a mail that is not `resendable`. */
export function reasonNotToResend({ state, campaignId }: Mail): string {
  if (campaignId !== null) return 'Newsletters are sent once';
  return state === 'queued' || state === 'sending' ? 'Not sent yet' : 'One-time link; can’t be resent';
}
