import { type Mail, customizableMails } from '#libs/contracts';

const others: Record<string, string> = {
  verifyEmail: 'Confirm address',
  resetPassword: 'Reset password',
  changeEmail: 'Confirm new address',
  emailChanged: 'Address changed',
  passwordChanged: 'Password changed',
  accountDeleted: 'Account deleted',
  secondFactorChanged: 'Sign-in method changed',
  campaign: 'Newsletter',
  campaignTest: 'Newsletter test',
  messageReply: 'Reply to a message',
};

/** The name of a mail that has no subject yet. */
export function kindOf(template: string): string {
  return (customizableMails as Record<string, string>)[template] ?? others[template] ?? template;
}

/** Why the mail cannot be resent; only for mails that cannot. */
export function reasonNotToResend({ state, campaignId }: Mail): string {
  if (campaignId !== null) return 'Newsletters are sent once';
  return state === 'queued' || state === 'sending' ? 'Not sent yet' : 'One-time link; can’t be resent';
}
