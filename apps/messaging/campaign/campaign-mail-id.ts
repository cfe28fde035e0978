import { v5 } from 'uuid';

/** Derived from the two ids, so that no subscriber gets a campaign twice. */
export function campaignMailId(campaignId: string, subscriberId: string): string {
  return v5(subscriberId, campaignId);
}
