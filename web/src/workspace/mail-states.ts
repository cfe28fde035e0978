import type { MailState } from '#libs/contracts';
import type { Tone } from './Status.js';

/** The words for the state of an outgoing e-mail. */
export const mailStates: Record<MailState, { word: string; tone: Tone }> = {
  queued: { word: 'Waiting', tone: 'waiting' },
  sending: { word: 'Sending', tone: 'waiting' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'fault' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
};
