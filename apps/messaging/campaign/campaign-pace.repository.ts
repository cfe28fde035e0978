import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface StoredPace {
  /** How many mails could be queued at `refilledAt`. */
  allowance: number;
  refilledAt: Date;
}

/** The table `campaign_pace`. It has no entity, since it is one row without a key. */
@Injectable()
export class CampaignPaceRepository {
  /** Locks the row until the transaction ends. Undefined while another process has locked it. */
  async lock(tx: EntityManager): Promise<StoredPace | undefined> {
    const [pace] = await tx.sql<StoredPace[]>`
      SELECT allowance, refilled_at AS "refilledAt" FROM campaign_pace FOR UPDATE SKIP LOCKED`;
    return pace;
  }

  async update(tx: EntityManager, { allowance, refilledAt }: StoredPace): Promise<void> {
    await tx.sql`UPDATE campaign_pace SET allowance = ${allowance}, refilled_at = ${refilledAt}`;
  }

  /** The database's time: the clocks of several machines differ, and each difference would change how many mails are sent. */
  async now(tx: EntityManager): Promise<Date> {
    const [{ now }] = await tx.sql<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    return now;
  }
}
