import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { CampaignPaceRepository } from './campaign-pace.repository.js';

/** The queue holds the campaign mails of about this many seconds, within the two limits below. */
const queuedSeconds = 10;
const queuedAtLeast = 20;
const queuedAtMost = 1_000;

/** The right to queue mails, until the transaction ends. */
export interface PaceTurn {
  /** How many mails may be queued; it need not be a whole number. What the turn does not use is left for the next one. */
  allowance: number;
  /** When the turn began, by the database's clock. */
  at: Date;
}

@Injectable()
export class CampaignPace {
  constructor(
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    private readonly pace: CampaignPaceRepository,
  ) {}

  get queueLimit(): number {
    return Math.min(queuedAtMost, Math.max(queuedAtLeast, Math.ceil(this.perSecond * queuedSeconds)));
  }

  /** Undefined while another process has the turn. */
  async takeTurn(tx: EntityManager): Promise<PaceTurn | undefined> {
    const stored = await this.pace.lock(tx);
    if (!stored) return undefined;
    const at = await this.pace.now(tx);
    const seconds = Math.max(0, at.getTime() - stored.refilledAt.getTime()) / 1_000;
    // Unused allowance beyond the limit is lost, so an idle hour is not made up for in one burst.
    return { allowance: Math.min(stored.allowance + seconds * this.perSecond, this.queueLimit), at };
  }

  async endTurn(tx: EntityManager, { allowance, at }: PaceTurn, used: number): Promise<void> {
    await this.pace.update(tx, { allowance: allowance - used, refilledAt: at });
  }

  private get perSecond(): number {
    return this.settings.campaignPerMinute / 60;
  }
}
