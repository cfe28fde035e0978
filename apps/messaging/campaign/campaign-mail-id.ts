import { v5 } from 'uuid';

/** The id of a campaign's mail to a subscriber. It is derived from their two ids, so that no subscriber gets a campaign twice. */
export function campaignMailId(campaignId: string, subscriberId: string): string {
  return v5(subscriberId, campaignId);
}
