import type { ConsentSource, SubscriberStatus } from '#libs/contracts';
import type { Tone } from '../../workspace/Status.js';

export const subscriberStatusWords: Record<SubscriberStatus, { word: string; tone: Tone }> = {
  pending: { word: 'Not confirmed', tone: 'waiting' },
  subscribed: { word: 'Subscribed', tone: 'good' },
  unsubscribed: { word: 'Unsubscribed', tone: 'quiet' },
  suppressed: { word: 'Mail came back', tone: 'fault' },
};

export const consentSourceWords: Record<ConsentSource, string> = {
  form: 'The newsletter form',
  import: 'A file that an admin imported',
  admin: 'Entered by an admin',
};
