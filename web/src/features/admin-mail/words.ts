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

/** What a mail is called before it has a subject. */
export function kindOf(template: string): string {
  return (customizableMails as Record<string, string>)[template] ?? others[template] ?? template;
}

/** Why it cannot be sent once more, where it cannot. */
export function notAgainBecause({ state, campaignId }: Mail): string {
  if (campaignId !== null) return 'Newsletters are sent once';
  return state === 'queued' || state === 'sending' ? 'Not sent yet' : 'One-time link; can’t be resent';
}
