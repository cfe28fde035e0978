import { v5 } from 'uuid';

/** The id of a campaign's mail to a subscriber. It is derived from both, so that nobody can get a campaign twice. */
export function campaignMailId(campaignId: string, subscriberId: string): string {
  return v5(subscriberId, campaignId);
}
