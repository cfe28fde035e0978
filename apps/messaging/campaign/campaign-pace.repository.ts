import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface StoredPace {
  /** How many mails could be queued at `refilledAt`. */
  allowance: number;
  refilledAt: Date;
}

/** The table `campaign_pace` has no entity, because it is one row without a key. */
@Injectable()
export class CampaignPaceRepository {
  /** Undefined while another process has locked the row. */
  async lock(tx: EntityManager): Promise<StoredPace | undefined> {
    const [pace] = await tx.sql<StoredPace[]>`
      SELECT allowance, refilled_at AS "refilledAt" FROM campaign_pace FOR UPDATE SKIP LOCKED`;
    return pace;
  }

  async update(tx: EntityManager, { allowance, refilledAt }: StoredPace): Promise<void> {
    await tx.sql`UPDATE campaign_pace SET allowance = ${allowance}, refilled_at = ${refilledAt}`;
  }

  /** The time of the database. The clocks of several machines differ, which would change how many mails are sent. */
  async now(tx: EntityManager): Promise<Date> {
    const [{ now }] = await tx.sql<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    return now;
  }
}
