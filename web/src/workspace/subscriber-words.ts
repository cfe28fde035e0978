import type { ConsentSource, SubscriberStatus } from '#libs/contracts';
import type { Tone } from './Status.js';

export const subscriberStatusWords: Record<SubscriberStatus, { word: string; tone: Tone }> = {
  pending: { word: 'Not confirmed', tone: 'waiting' },
  subscribed: { word: 'Subscribed', tone: 'good' },
  unsubscribed: { word: 'Unsubscribed', tone: 'quiet' },
  suppressed: { word: 'Blocked', tone: 'fault' },
};

export const consentSourceWords: Record<ConsentSource, string> = {
  form: 'Newsletter form',
  import: 'Imported by an admin',
  admin: 'Added by an admin',
};
