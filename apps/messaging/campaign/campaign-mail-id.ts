import type { EntityManager } from 'typeorm';
import { validate as isUuid, v5 } from 'uuid';

/** The one mail of a campaign to a subscriber: whatever is repeated, it is the same mail. */
export function campaignMailId(campaignId: string, subscriberId: string): string {
  return v5(subscriberId, campaignId);
}

/** Somebody left by a link of this campaign. What a link only claims, of a campaign that never went there, is not counted. */
export async function countUnsubscribed(
  tx: EntityManager,
  campaignId: string,
  subscriberId: string,
): Promise<void> {
  if (!isUuid(campaignId)) return;
  await tx.query(
    `UPDATE campaigns SET unsubscribed = unsubscribed + 1
     WHERE id = $1 AND EXISTS (SELECT 1 FROM mails WHERE id = $2)`,
    [campaignId, campaignMailId(campaignId, subscriberId)],
  );
}
