import type { CampaignState } from '#libs/contracts';
import type { Tone } from '../../../workspace/Status.js';

export const stateWords: Record<CampaignState, { word: string; tone: Tone }> = {
  draft: { word: 'Draft', tone: 'quiet' },
  scheduled: { word: 'Scheduled', tone: 'waiting' },
  sending: { word: 'Sending', tone: 'waiting' },
  paused: { word: 'Paused', tone: 'waiting' },
  sent: { word: 'Sent', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'fault' },
};

/** `1` → `1 person`. */
export function people(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`;
}

export function duration(mails: number, perMinute: number): string {
  const minutes = Math.ceil(mails / perMinute);
  if (minutes <= 1) return 'about a minute';
  if (minutes < 90) return `about ${minutes} minutes`;
  return `about ${Math.round(minutes / 60)} hours`;
}
