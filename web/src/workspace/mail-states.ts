import { customizableMails, type MailState } from '#libs/contracts';
import type { Tone } from './Status.js';

/** The words for the state of an outgoing e-mail. */
export const mailStates: Record<MailState, { word: string; tone: Tone }> = {
  queued: { word: 'Waiting', tone: 'waiting' },
  sending: { word: 'Sending', tone: 'waiting' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'fault' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
};

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
