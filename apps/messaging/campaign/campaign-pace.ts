import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';

/** What is queued goes out in about so long, in seconds: a pause, a notice or a stop waits for no more. */
const queuedAhead = 10;
const queuedAtLeast = 20;
const queuedAtMost = 1_000;

/** The database's: clocks of several machines differ, and each difference would be made up for by mails. */
@Injectable()
export class PaceClock {
  async now(tx: EntityManager): Promise<Date> {
    const [{ now }] = await tx.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return now;
  }
}

/** The right to hand out mails, until the transaction ends. */
export interface PaceTurn {
  /** How many may go out now; a part of one is kept for the next turn. */
  allowance: number;
  at: Date;
}

/** No more mails of campaigns a minute than the settings say, whichever process hands them out. */
@Injectable()
export class CampaignPace {
  constructor(
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    private readonly clock: PaceClock,
  ) {}

  /** Mails that may be in the queue at once. */
  get bound(): number {
    const ahead = Math.ceil(this.perSecond * queuedAhead);
    return Math.min(queuedAtMost, Math.max(queuedAtLeast, ahead));
  }

  /** Undefined while another process has it. */
  async takeTurn(tx: EntityManager): Promise<PaceTurn | undefined> {
    const [pace] = await tx.query<{ allowance: number; refilledAt: Date }[]>(
      `SELECT allowance, refilled_at AS "refilledAt" FROM campaign_pace FOR UPDATE SKIP LOCKED`,
    );
    if (!pace) return undefined;
    const at = await this.clock.now(tx);
    const seconds = Math.max(0, at.getTime() - pace.refilledAt.getTime()) / 1_000;
    // What was not used in a quiet hour is not made up for at once.
    return { allowance: Math.min(pace.allowance + seconds * this.perSecond, this.bound), at };
  }

  async endTurn(tx: EntityManager, { allowance, at }: PaceTurn, queued: number): Promise<void> {
    await tx.query(`UPDATE campaign_pace SET allowance = $1, refilled_at = $2`, [allowance - queued, at]);
  }

  private get perSecond(): number {
    return this.settings.campaignPerMinute / 60;
  }
}
