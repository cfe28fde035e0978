import { customizableMails, fixedMails, type MailState } from '#libs/contracts';
import type { Tone } from './Status.js';

export const mailStateWords: Record<MailState, { word: string; tone: Tone }> = {
  queued: { word: 'Waiting', tone: 'waiting' },
  sending: { word: 'Sending', tone: 'waiting' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'fault' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
};

const templateNames: Readonly<Record<string, string>> = { ...customizableMails, ...fixedMails };

/** For a mail without a subject. */
export function mailTemplateName(template: string): string {
  return templateNames[template] ?? template;
}
