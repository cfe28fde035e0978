import { customizableMails, fixedMails, type Mail } from '#libs/contracts';

const names: Readonly<Record<string, string>> = { ...customizableMails, ...fixedMails };

/** The name of a mail that has no subject yet. */
export function kindOf(template: string): string {
  return names[template] ?? template;
}

/** Why the mail cannot be resent; only for mails that cannot. */
export function reasonNotToResend({ state, campaignId }: Mail): string {
  if (campaignId !== null) return 'Newsletters are sent once';
  return state === 'queued' || state === 'sending' ? 'Not sent yet' : 'One-time link; can’t be resent';
}
